"""Types into an interactive redis-cli on a terminal of its own and fails where it does not show what it should.

redis_cli_terminal.py PORT TYPED AWAITED [TYPED AWAITED ...]: types each TYPED once the AWAITED before it, a regular
expression, was shown. What is typed ahead of a prompt gets lost, so a command's AWAITED ends with the next prompt.
"""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

port = sys.argv[1]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("redis-cli", ["redis-cli", "-p", port])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))


def read_until(awaited):
    shown = ""
    while not re.search(awaited, shown, re.DOTALL):
        if not select.select([terminal], [], [], 20)[0]:
            sys.exit("waited in vain for %r; shown: %r" % (awaited, shown))
        shown += os.read(terminal, 65536).decode()


read_until("127.0.0.1:%s> $" % port)
for typed, awaited in zip(sys.argv[2::2], sys.argv[3::2]):
    os.write(terminal, typed.encode())
    read_until(awaited)
