# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs a program in a network whose name server never responds: silent_names.py PROGRAM ARGUMENT…

It uses its own namespaces, so that the machine's network and /etc/resolv.conf do not change.
"""

import os
import socket
import subprocess
import sys
import tempfile

INSIDE = "--inside"


def command(program):
    """The command that runs `program` in that network."""
    return ["unshare", "--mount", "--net", sys.executable, "-B", os.path.abspath(__file__), INSIDE, *program]


def main(program):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.NamedTemporaryFile("w") as names, socket.socket(type=socket.SOCK_DGRAM) as server:
        # The maximum of the C library: it would query both servers five times, for half a minute each.
        names.write("nameserver 127.0.0.1\nnameserver 127.0.0.2\noptions timeout:30 attempts:5\n")
        names.flush()
        subprocess.run(["mount", "--bind", names.name, "/etc/resolv.conf"], check=True)
        # It receives queries and does not respond.
        server.bind(("", 53))
        return subprocess.run(program).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]) if sys.argv[1:2] == [INSIDE] else subprocess.run(command(sys.argv[1:])).returncode)
