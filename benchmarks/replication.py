"""What bin/bench --replication measures. The primary has one core; clients, replicas and all else share the other.

Two kinds of replica: real ones, which on two cores take processor time from the client, and sinks, which take what they
are sent, acknowledge it and store nothing, as replicas do that have machines of their own.
"""
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from __main__ import (CONNECTIONS, HOME, KEYS, S, WORKLOADS, Server, call, closed_loop, count,
                      cpu_seconds, free_port, median)

SYNC_OPTIONS = ["--repl-diskless-sync-delay", "0", "--repl-backlog-size", "64mb", "--repl-backlog-ttl", "1"]
MEASURED = [WORKLOADS[0], next(w for w in WORKLOADS if w[0] == "SET")]
DOWN_AFTER_MS = 1000
WAIT_S = 120


def command(*words):
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in map(str.encode, words))


def info(port, section="replication"):
    return dict(line.split(":", 1) for line in call(port, "INFO", section).splitlines() if ":" in line)


def wait(condition, what):
    end = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {WAIT_S} s in vain for {what}")
        time.sleep(0.005)


def anonymous_bytes(pid):
    """Memory that is the process's own: heap, buffers, backlog; not the map files."""
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"RssAnon:\s+(\d+) kB", f.read()).group(1)) * 1024


class Sink(threading.Thread):
    """A replica that stores nothing. Once, or again and again, it takes a snapshot; then it follows."""

    def __init__(self, port, repeats=False):
        super().__init__(daemon=True)
        self.port, self.repeats, self.stopped = port, repeats, False
        self.syncs, self.sync_s, self.sync_bytes, self.online = 0, 0.0, 0, threading.Event()

    def run(self):
        while not self.stopped:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=30) as s:
                    offset = self.sync(s, s.makefile("rb"))
                    self.syncs += 1
                    if not self.repeats:
                        self.follow(s, offset)
            except OSError:
                pass  # dropped; it asks anew as a replica would

    def sync(self, s, replies):
        for words in (("PING",), ("REPLCONF", "listening-port", "1"),
                      ("REPLCONF", "capa", "eof", "capa", "psync2", "capa", "sluice")):
            s.sendall(command(*words))
            replies.readline()
        began = time.monotonic()
        s.sendall(command("PSYNC", "?", "-1"))
        offset = int(self.line(replies).split()[2])
        mark, tail, size = self.line(replies)[5:], b"", 0
        while tail != mark:
            part = replies.read1(1 << 18)
            if not part:
                raise OSError("ended")
            size += len(part)
            tail = (tail + part[-len(mark):])[-len(mark):]
        self.sync_s, self.sync_bytes = time.monotonic() - began, size
        return offset

    @staticmethod
    def line(replies):
        line = replies.readline()
        while line == b"\n":
            line = replies.readline()
        return line.strip()

    def follow(self, s, offset):
        room, acked = bytearray(1 << 20), 0.0
        s.settimeout(0.05)
        while not self.stopped:
            if time.monotonic() - acked > 0.1:
                acked = time.monotonic()
                s.sendall(command("REPLCONF", "ACK", str(offset)))
                self.online.set()
            try:
                n = s.recv_into(room)
                if n == 0:
                    return
                offset += n
            except socket.timeout:
                pass

    def stop(self):
        self.stopped = True
        self.join()


class Lag(threading.Thread):
    """Looks at how far the primary's replicas are behind, some times a second."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.stopped, self.ms, self.bytes = port, False, [], []

    def run(self):
        while not self.stopped:
            fields = info(self.port)
            self.ms += [int(v) for k, v in fields.items() if k.startswith("replica_lag_ms_")]
            self.bytes += [int(v) for k, v in fields.items() if k.startswith("replica_lag_bytes_")]
            time.sleep(0.1)

    def stop(self):
        self.stopped = True
        self.join()


def follows(replica):
    try:
        return info(replica.port).get("master_link_status") == "up"
    except OSError:
        return False  # it closes its clients when it is demoted, this one too


def follow(replica, primary):
    call(replica.port, "REPLICAOF", "127.0.0.1", str(primary.port))
    wait(lambda: follows(replica), "a link")


def caught_up(primary):
    wait(lambda: all(v == "0" for k, v in info(primary.port).items() if k.startswith("replica_lag_bytes_")), "replicas")


def leave(replica):
    call(replica.port, "REPLICAOF", "NO", "ONE")


def alone(primary):
    wait(lambda: info(primary.port)["repl_backlog_active"] == "0", "the end of recording")


def throughput(primary, replicas, o):
    n = int(2_000_000 * o.scale)
    print(f"\nThe primary at `-P 16`, {n:,} requests a run, medians of {o.runs} rounds; lag as it was meanwhile:\n")
    print("| command | replicas | requests/s | of alone | p50 / p99 / p99.9 ms | primary's CPU us/request | of alone |"
          " lag, median / most ms | most MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, _, words in MEASURED:
        closed_loop(primary, words, 16, n, o.client_cpu)
        rows, lags = {}, {}
        for _ in range(o.runs):
            for kind, number in (("none", 0), ("sinks", 1), ("sinks", 2), ("real", 1), ("real", 2)):
                attached = [Sink(primary.port) for _ in range(number)] if kind == "sinks" else replicas[:number]
                for one in attached:
                    one.start() if kind == "sinks" else follow(one, primary)
                for one in attached if kind == "sinks" else []:
                    one.online.wait(WAIT_S)
                if number == 0:
                    alone(primary)
                caught_up(primary)
                lag = Lag(primary.port)
                lag.start()
                label = (f"{number} {kind}" if number else kind)
                rows.setdefault(label, []).append(closed_loop(primary, words, 16, n, o.client_cpu))
                lag.stop()
                lags.setdefault(label, Lag(0))
                lags[label].ms += lag.ms
                lags[label].bytes += lag.bytes
                for one in attached:
                    one.stop() if kind == "sinks" else leave(one)
        for label, r in rows.items():
            base, lag = rows["none"], lags[label]
            lagged = f"{statistics.median(lag.ms):.0f} / {max(lag.ms)} | {max(lag.bytes) / 1e6:.1f}" if lag.ms else "| "
            print(f"| {name} | {label} | {count(median(r, 'rate'))} | {median(r, 'rate') / median(base, 'rate'):.2f} | "
                  f"{median(r, 'p50'):.2f} / {median(r, 'p99'):.2f} / {median(r, 'p999'):.2f} | {median(r, 'us'):.2f} | "
                  f"{median(r, 'us') / median(base, 'us'):.2f} | {lagged} |", flush=True)


def sync_times(primary, replica, o):
    call(primary.port, "CONFIG", "SET", "repl-backlog-ttl", "3600")
    held = int(call(primary.port, "DBSIZE")[1:])
    sends, loads, pauses, memory, partials, restarts, cpu = [], [], [], [], [], [], []
    for _ in range(o.runs):
        call(primary.port, "CONFIG", "RESETSTAT")
        before, used, most = anonymous_bytes(primary.process.pid), cpu_seconds(primary.process.pid), 0
        sink = Sink(primary.port)
        sink.start()
        while not sink.online.wait(0.01):
            most = max(most, anonymous_bytes(primary.process.pid) - before)
        cpu.append(cpu_seconds(primary.process.pid) - used)
        sink.stop()
        sends.append(sink.sync_s)
        memory.append(most)
        pauses.append(int(info(primary.port, "stats")["eventloop_longest_pause_usec"]) / 1000)
        began = time.monotonic()
        follow(replica, primary)
        loads.append(time.monotonic() - began)
        syncs = int(info(primary.port, "stats")["sync_partial_ok"])
        began = time.monotonic()
        call(primary.port, "CLIENT", "KILL", "TYPE", "replica")
        wait(lambda: int(info(primary.port, "stats")["sync_partial_ok"]) > syncs, "a partial sync")
        wait(lambda: follows(replica), "a link")
        partials.append(time.monotonic() - began)
        replica.extra += ["--replicaof", f"127.0.0.1 {primary.port}"]
        replica.stop()
        began = time.monotonic()
        replica.start()
        wait(lambda: int(info(primary.port, "stats")["sync_partial_ok"]) > syncs + 1, "a second partial sync")
        restarts.append((replica.first_pong_s, time.monotonic() - began))
        del replica.extra[-2:]
        leave(replica)
    print(f"\nSyncs of {held:,} keys, nothing else going on, medians of {o.runs}:\n")
    print("| | |\n| --- | --- |")
    print(f"| full sync, sent to a sink | {statistics.median(sends):.2f} s, {sink.sync_bytes / 1e6:.0f} MB |")
    print(f"| the primary's processor time for it | {statistics.median(cpu):.2f} s |")
    print(f"| the primary's longest pause meanwhile | {statistics.median(pauses):.1f} ms |")
    print(f"| memory that it took, map files left out | {statistics.median(memory) / 2**20:.0f} MB |")
    print(f"| full sync of a real replica, until it follows | {statistics.median(loads):.2f} s |")
    print(f"| partial sync after a cut, until it follows again | {statistics.median(partials) * 1000:.0f} ms |")
    print(f"| partial sync after a restart, start included | {statistics.median(t for _, t in restarts):.2f} s, first "
          f"PONG after {statistics.median(p for p, _ in restarts):.2f} s |", flush=True)


def open_loop(port, words, o):
    jar = os.path.join(HOME, "benchmarks/target/benchmarks.jar")
    if not os.path.exists(jar):
        sys.exit(f"{jar} is missing: mvn -pl benchmarks -am -DskipTests package")
    out = subprocess.run(
        ["taskset", "-c", str(o.client_cpu), "java", "-cp", jar, "io.sluice.benchmarks.OpenLoop", "--port", str(port),
         "--rate", str(o.sync_rate), "--seconds", str(o.open_loop_seconds), "--connections", str(CONNECTIONS),
         "--keys", str(KEYS), "--command", " ".join(words)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {k: float(v) for k, v in re.findall(r"(\S+)=([\d.]+)", out)}


def latency(primary, o):
    """Alternates, so that what else goes on here falls on both."""
    words = WORKLOADS[0][2]
    open_loop(primary.port, words, o)
    pairs, syncs = [], []
    for _ in range(max(o.runs, 3)):
        without = open_loop(primary.port, words, o)
        sink = Sink(primary.port, repeats=True)
        sink.start()
        pairs.append((without, open_loop(primary.port, words, o)))
        sink.stop()
        syncs.append(sink.syncs)
    print(f"\n`CL.THROTTLE`, {o.sync_rate:,}/s in an open loop for {o.open_loop_seconds} s, without and with full syncs one "
          f"behind the other ({statistics.median(syncs):.0f} a run), medians of {len(pairs)} pairs:\n")
    print("| | p50 us | p99 us | p99.9 us | max us |\n| --- | --- | --- | --- | --- |")
    for label, side in (("without", 0), ("with", 1)):
        print(f"| {label} | " + " | ".join(f"{statistics.median(p[side][k] for p in pairs):.0f}"
                                          for k in ("p50", "p99", "p99.9", "max")) + " |")
    ratios = sorted(p[1]["p99.9"] / p[0]["p99.9"] for p in pairs)
    print(f"\np99.9 with, of without: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)


class Sentinel:
    """One of Redis's own, watching a primary."""

    def __init__(self, primary_port, cpu):
        self.port, self.folder = free_port(), tempfile.mkdtemp(prefix="bench-sentinel-")
        file = os.path.join(self.folder, "sentinel.conf")
        with open(file, "w") as f:
            f.write(f"port {self.port}\nbind 127.0.0.1\ndir {self.folder}\nsentinel monitor m 127.0.0.1 {primary_port} 2\n"
                    f"sentinel down-after-milliseconds m {DOWN_AFTER_MS}\nsentinel failover-timeout m 5000\n")
        self.process = subprocess.Popen(["taskset", "-c", str(cpu), "redis-server", file, "--sentinel"],
                                        stdout=subprocess.DEVNULL)

    def ask(self, *words):
        """The reply to SENTINEL, as the text of its items."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as s:
            s.sendall(command("SENTINEL", *words))
            f = s.makefile("rb")
            items = []
            for _ in range(int(f.readline()[1:])):
                line = f.readline()
                if line[:1] == b"*":
                    return [None] * int(line[1:])
                items.append(f.read(int(line[1:]) + 2)[:-2].decode())
            return items

    def primary_port(self):
        return int(self.ask("get-master-addr-by-name", "m")[1])

    def settled(self):
        try:
            fields = self.ask("master", "m")
        except OSError:
            return False
        fields = dict(zip(fields[::2], fields[1::2]))
        return (fields["flags"], fields["num-slaves"], fields["num-other-sentinels"]) == ("master", "2", "2")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)


def failover_ms(servers, sentinels):
    """From a primary's kill to the first write at the one that Sentinel names; the killed one follows afterwards."""
    wait(lambda: all(s.settled() for s in sentinels), "the sentinels to see that all is well")
    time.sleep(11)  # no two failovers within twice the failover-timeout
    old = next(s for s in servers if s.port == sentinels[0].primary_port())
    began = time.monotonic()
    old.process.send_signal(signal.SIGKILL)
    old.process.wait()

    def written():
        try:
            return call(sentinels[0].primary_port(), "SET", "after", "1") == "+OK"
        except OSError:
            return False
    wait(written, "a write")
    took_ms = (time.monotonic() - began) * 1000
    old.start()
    wait(lambda: follows(old), "the old primary to follow")
    return took_ms


def failovers(primary, replicas, o):
    servers = [primary] + replicas
    for replica in replicas:
        follow(replica, primary)
    sentinels = [Sentinel(primary.port, o.client_cpu) for _ in range(3)]
    try:
        times = [failover_ms(servers, sentinels) for _ in range(max(o.runs, 3))]
    finally:
        for sentinel in sentinels:
            sentinel.close()
    print(f"\nFrom `kill -9` to the first write at the primary that Sentinel names: {statistics.median(times):.0f} ms "
          f"({min(times):.0f} to {max(times):.0f}, {len(times)} times), {DOWN_AFTER_MS} of which Sentinel waits "
          "(`down-after-milliseconds`)", flush=True)


def run(o):
    os.sched_setaffinity(0, {int(o.client_cpu)})
    primary = Server(S, o.server_cpu, SYNC_OPTIONS + o.server_args.split())
    replicas = [Server(S, o.client_cpu, SYNC_OPTIONS + o.server_args.split()) for _ in range(2)]
    try:
        throughput(primary, replicas, o)
        sync_times(primary, replicas[0], o)
        latency(primary, o)
        failovers(primary, replicas, o)
    except BaseException:
        for server in [primary] + replicas:
            with open(os.path.join(server.folder, "server.out")) as f:
                print(f"{server.port}:", *f.readlines()[-20:], file=sys.stderr)
        raise
    finally:
        for server in [primary] + replicas:
            server.close()
