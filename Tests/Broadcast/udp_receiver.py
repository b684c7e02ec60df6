# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A receiver of MPEG-TS over UDP, without a server: the reader binds the port."""

import farend
import processes


class UDPReceiver:
    """A port that datagrams may be sent to, with or without a reader."""

    def __init__(self, host="127.0.0.1", namespace=None):
        self.namespace = namespace
        self.host, self.port = host, processes.free_port("udp")

    @property
    def url(self):
        # Seven MPEG-TS packets fit into an Ethernet frame.
        return f"udp://{self.host}:{self.port}?pkt_size=1316"

    @property
    def reading_url(self):
        return f"udp://{self.host}:{self.port}"

    def probe(self):
        return farend.probe(self.reading_url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
