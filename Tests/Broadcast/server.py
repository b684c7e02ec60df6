# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""What all servers that are programs have in common."""

import tempfile

import farend
import processes


class Server:
    """A program that is ready when it has bound its port; ends, with its folder, when its context does."""

    name = "server"
    kind = "tcp"

    def __init__(self, host="127.0.0.1", namespace=None):
        """`host` is the address that it listens at, in the network namespace of that name."""
        self.host, self.namespace = host, namespace
        self.port = processes.free_port(self.kind)
        self._folder = tempfile.TemporaryDirectory(prefix=f"obscura-{self.name}-")
        self.folder = self._folder.name
        self.program = None

    def command(self):
        """What to run; files that it needs are written here."""
        raise NotImplementedError

    def start(self):
        self.program = processes.Program(self.name, self.command(), self.folder, self.namespace)
        self.program.start()
        self.wait_until_ready()

    def wait_until_ready(self):
        self.program.wait_for_port(self.port, self.kind)

    def kill(self):
        """As the out-of-memory killer does."""
        self.program.kill()

    def stop(self):
        """As a service manager does."""
        return self.program.stop()

    def restart(self):
        """Once more, at the same port."""
        self.program.stop()
        self.start()

    @property
    def reading_url(self):
        raise NotImplementedError

    def probe(self):
        return farend.probe(self.reading_url)

    @property
    def words(self):
        """All that it has said."""
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
