"""What an application does with redis-py. Ends with an AssertionError where the server does not answer as Redis."""
import sys

import redis

client = redis.Redis(port=int(sys.argv[1]), client_name="redis-py", decode_responses=True)
client.flushall()


def equal(expected, actual):
    assert expected == actual, "expected %r but was %r" % (expected, actual)


def throttle(key, burst, count, period, *quantity):
    return client.execute_command("CL.THROTTLE", key, burst, count, period, *quantity)


# Limits
equal([0, 3, 2, -1, 1200], throttle("user", 2, 3, 3600))
equal([0, 3, 0, -1, 3600], throttle("user", 2, 3, 3600, 2))
equal(1, throttle("user", 2, 3, 3600)[0])
equal("string", client.type("user"))
equal(1, client.delete("user"))
equal([0, 3, 2, -1, 1200], throttle("user", 2, 3, 3600))
try:
    throttle("user", "abc", 3, 3600)
    raise AssertionError("abc is no burst")
except redis.ResponseError as e:
    equal("value is not an integer or out of range", str(e))

# Strings and expiries
equal(True, client.set("a", "1", nx=True, ex=1000))
equal(None, client.set("a", "2", nx=True))
equal("1", client.set("a", "5", get=True, keepttl=True))
equal(1000, client.ttl("a"))
equal(8, client.incr("a", 3))
equal(8.5, client.incrbyfloat("a", 0.5))
equal(["8.5", None], client.mget("a", "none"))
equal({"a", "user"}, set(client.scan_iter(match="*", count=1)))
raw = redis.Redis(port=int(sys.argv[1]))
every_byte = bytes(range(256))
raw.set(every_byte, every_byte)
equal(every_byte, raw.get(every_byte))

# Pipelines: a transaction by default
with client.pipeline() as pipe:
    pipe.incr("n").expire("n", 100).execute_command("CL.THROTTLE", "pipe", 0, 1, 60)
    equal([1, True, [0, 1, 0, -1, 60]], pipe.execute())
with client.pipeline(transaction=False) as pipe:
    for _ in range(10000):
        pipe.incr("m")
    equal(list(range(1, 10001)), pipe.execute())
with client.pipeline() as pipe:
    pipe.watch("w")
    raw.set("w", "theirs")
    pipe.multi()
    pipe.set("w", "mine")
    try:
        pipe.execute()
        raise AssertionError("the watched key changed")
    except redis.WatchError:
        equal("theirs", client.get("w"))

# What monitoring asks for
assert client.info("server")["redis_version"]
equal(client.dbsize(), client.info("keyspace")["db0"]["keys"])
equal("redis-py", client.client_getname())
assert any(row["name"] == "redis-py" for row in client.client_list())
equal({"appendonly"}, set(client.config_get("appendonly")))
equal(2, client.command()["get"]["arity"])

print("ok")
