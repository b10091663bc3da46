#!/usr/bin/env bash
# redis-benchmark: what it asks for when it starts, its own commands, a script
set -euo pipefail
P=$1
redis-benchmark -p $P -q -n 2000 -c 5 -t ping,set,get,incr,lpush,hset,zadd,mset > "$TMPDIR/bench.txt" 2>&1
grep -q MSET "$TMPDIR/bench.txt"
! grep -qi error "$TMPDIR/bench.txt"
redis-benchmark -p $P -q -n 1000 -c 5 -P 16 EVAL "return redis.call('INCR',KEYS[1])" 1 compat:bench:__rand_int__ \
    | grep -q 'requests per second'
