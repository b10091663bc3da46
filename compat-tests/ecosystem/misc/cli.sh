#!/usr/bin/env bash
# redis-cli start-up (interactive mode asks COMMAND DOCS), scripting, MULTI and redis-benchmark start-up
set -eu; P=$1
[ "$(redis-cli -p $P PING)" = PONG ]; [ "$(redis-cli -p $P -3 PING)" = PONG ]; [ "$(redis-cli -p $P -n 2 SET compat:cli v EX 500)" = OK ]; [ "$(redis-cli -p $P -n 2 GET compat:cli)" = v ]
printf 'PING\nGET nokey\n' | redis-cli -p $P | grep -q PONG
/usr/bin/python3 py/cli_tty.py $P
echo "return {KEYS[1], ARGV[1]}" > "$TMPDIR/script.lua"; redis-cli -p $P --eval "$TMPDIR/script.lua" k1 , a1 | tr '\n' ' ' | grep -q 'k1 a1'
redis-cli -p $P INFO server | grep -q redis_version; redis-cli -p $P EVALSHA ffffffffffffffffffffffffffffffffffffffff 0 | grep -q '^NOSCRIPT'
printf 'MULTI\nINCR compat:cli:n\nEXEC\nDEL compat:cli:n\n' | redis-cli -p $P | grep -q QUEUED
