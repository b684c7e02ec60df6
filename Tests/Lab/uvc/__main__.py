# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""USB cameras (UVC) of the lab, emulated in user space; the kernel's drivers vhci-hcd and uvcvideo must be loaded.

`start` returns when their nodes are there. The cameras remain until the process ends that it leaves behind.
"""

import argparse
import os
import select
import sys

sys.dont_write_bytecode = True

import commands  # noqa: E402
import server  # noqa: E402

# The time limit for the driver to make the nodes, in seconds.
LIMIT = 60


def start(count):
    """Starts the cameras in another process; the exit status."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        os.setsid()
        server.Server(count, when_ready=lambda: (os.write(theirs, b"."), os.close(theirs))).run()
    os.close(theirs)
    readable, _, _ = select.select([ours], [], [], LIMIT)
    if not readable:
        print("uvc: the driver did not make the nodes", file=sys.stderr)
        return 1
    # It is empty if the process has ended.
    return 0 if os.read(ours, 1) else 1


def main():
    parser = argparse.ArgumentParser(
        prog="uvc", description=__doc__, epilog=commands.DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    subcommands = parser.add_subparsers(dest="subcommand", required=True)
    starting = subcommands.add_parser("start", help="start the cameras")
    starting.add_argument("--count", type=int, default=2, help="number of cameras (default: %(default)s)")
    telling = subcommands.add_parser("tell", help="send them a command")
    telling.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if given.subcommand == "start":
        return start(given.count)
    answer = server.tell(" ".join(given.command))
    print(answer)
    return 0 if answer.startswith("ok") else 1


if __name__ == "__main__":
    sys.exit(main())
