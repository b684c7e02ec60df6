# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network whose server of names never answers, for one program: silent_names.py PROGRAM ARGUMENT…

It goes into namespaces of its own, so that the machine keeps its network and its /etc/resolv.conf.
"""

import os
import socket
import subprocess
import sys
import tempfile

INSIDE = "--inside"


def command(program):
    """What runs `program` there."""
    return ["unshare", "--mount", "--net", sys.executable, "-B", os.path.abspath(__file__), INSIDE, *program]


def main(program):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.NamedTemporaryFile("w") as names, socket.socket(type=socket.SOCK_DGRAM) as server:
        # The C library allows no more: it would ask both servers five times, for half a minute each.
        names.write("nameserver 127.0.0.1\nnameserver 127.0.0.2\noptions timeout:30 attempts:5\n")
        names.flush()
        subprocess.run(["mount", "--bind", names.name, "/etc/resolv.conf"], check=True)
        # It takes the questions, and that is all.
        server.bind(("", 53))
        return subprocess.run(program).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]) if sys.argv[1:2] == [INSIDE] else subprocess.run(command(sys.argv[1:])).returncode)
