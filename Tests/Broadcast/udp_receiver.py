# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""MPEG-TS over UDP needs no server: who reads binds the port."""

import farend
import processes


class UDPReceiver:
    """A port that datagrams may be sent to, whether or not somebody reads them."""

    def __init__(self, host="127.0.0.1", namespace=None):
        self.namespace = namespace
        self.host, self.port = host, processes.free_port("udp")

    @property
    def url(self):
        # Seven packets of MPEG-TS are what fits a datagram on an Ethernet.
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
