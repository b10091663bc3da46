# protected.sh SERVER OPTIONS: what a client from another address gets, and one from this machine. Runs in a network of
# its own, and in a folder for the data.
set -eu
ip link set lo up
ip address add 10.1.2.3/32 dev lo
"$1" --port 6379 --bind '*' --dir "$PWD/data" --unixsocket "$PWD/socket" $2 > server.log 2>&1 &
trap 'kill $!; wait $!' EXIT
until redis-cli -s "$PWD/socket" PING 2>&1 | grep -q 'PONG\|NOAUTH'; do sleep 0.1; done

word() {
    redis-cli -h "$1" PING 2>&1 | sed -n '1{s/^DENIED .*/denied/;s/^\((error) \)\?\(-\)\?DENIED.*/denied/;s/^NOAUTH .*/NOAUTH/;p}'
}
echo "$(word 10.1.2.3) $(word 127.0.0.1)"
