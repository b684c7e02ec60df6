# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The common part of all servers that are programs."""

import tempfile

import farend
import processes


class Server:
    """A program that is ready when it has bound its port; it ends, and its folder is removed, with its context."""

    name = "server"
    kind = "tcp"

    def __init__(self, host="127.0.0.1", namespace=None):
        """`host` is the address to listen on, in the network namespace `namespace`."""
        self.host, self.namespace = host, namespace
        self.port = processes.free_port(self.kind)
        self._folder = tempfile.TemporaryDirectory(prefix=f"obscura-{self.name}-")
        self.folder = self._folder.name
        self.program = None

    def command(self):
        """The command to run; writes the files that it needs."""
        raise NotImplementedError

    def start(self):
        self.program = processes.Program(self.name, self.command(), self.folder, self.namespace)
        self.program.start()
        self.wait_until_ready()

    def wait_until_ready(self):
        self.program.wait_for_port(self.port, self.kind)

    def kill(self):
        """Kills it, as the out-of-memory killer does."""
        self.program.kill()

    def stop(self):
        """Ends it, as a service manager does."""
        return self.program.stop()

    def restart(self):
        """Starts it again, on the same port."""
        self.program.stop()
        self.start()

    @property
    def reading_url(self):
        raise NotImplementedError

    def probe(self):
        return farend.probe(self.reading_url)

    @property
    def words(self):
        """Its output until now."""
        return self.program.words

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.program.kill()
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, kind, error, trace):
        self.stop()
        if error is not None:
            self.program.described(error)
        self._folder.cleanup()
