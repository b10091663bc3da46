# half_open.sh SERVER OPTIONS TIMEOUT LOOKS: a client connects, then the network breaks. Prints whether the server still
# holds it when it was looked at so often, ten times a second, "gone" or "there". Silence is limited to TIMEOUT only once
# the client has been seen. Runs in a network of its own, and in a folder for the data.
set -eu
socket=$PWD/socket
ask() { redis-cli -s "$socket" "$@"; }

ip link set lo up
"$1" --port 6379 --bind 127.0.0.1 --dir "$PWD/data" --unixsocket "$socket" $2 > server.log 2>&1 &
trap 'kill $!; wait $!' EXIT
until [ "$(ask PING 2>&1)" = PONG ]; do sleep 0.1; done

exec 3<> /dev/tcp/127.0.0.1/6379
printf 'CLIENT SETNAME far\r\n' >&3
read -r reply <&3
ask CLIENT LIST | grep -q name=far
ask CONFIG SET timeout "$3" > /dev/null

ip link set lo down
for _ in $(seq "$4"); do
    ask CLIENT LIST | grep -q name=far || { echo gone; exit; }
    sleep 0.1
done
echo there
