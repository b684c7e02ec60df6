# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Viewers of an RTSP server, many in one thread: they count packets, and decode nothing. RTP is interleaved in the
connection (RFC 2326, section 10.12), H.264 by RFC 6184."""

import asyncio
import hashlib
import re
import socket
import urllib.parse

# The channel of the video; the sound has the next one.
CHANNEL = 0
# The clock rate of the video's time stamps divided by the frame rate of the test picture.
FRAME = 3000
# The first of several ports without a listener.
UDP_PORT = 10
PARAMETER_SETS, KEY_SLICE, SINGLE_TIME_AGGREGATE, FRAGMENT = (7, 8), 5, 24, 28


class Refused(Exception):
    """The server responded with this error status."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Viewer:
    """A viewer; its counts are available while it watches."""

    def __init__(self, url, socket_buffer=None, source=None):
        """`socket_buffer` limits the kernel's buffer, so that a viewer that reads nothing is detected early; `source`
        is the viewer's own address."""
        parts = urllib.parse.urlsplit(url)
        self.host, self.port, self.user, self.password = parts.hostname, parts.port, parts.username, parts.password
        self.url = f"rtsp://{parts.hostname}:{parts.port}{parts.path}"
        self.socket_buffer, self.source = socket_buffer, source
        self.udp_port = UDP_PORT
        self.pictures, self.gaps, self.begins_with_key, self.is_closed = 0, 0, None, False
        # The times of the pictures, in frames since the first one.
        self.times = []
        self.session, self._number, self._challenge, self._sequence = None, 0, None, None
        self._first_time = None
        self._writer = None

    async def connect(self):
        own = socket.socket()
        own.setblocking(False)
        if self.socket_buffer:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.socket_buffer)
        if self.source:
            own.bind((self.source, 0))
        await asyncio.get_running_loop().sock_connect(own, (self.host, self.port))
        self._reader, self._writer = await asyncio.open_connection(sock=own, limit=self.socket_buffer or 1 << 20)

    async def play(self, by_udp=False):
        """Requests the stream, up to the first packet."""
        await self.set_up(by_udp)
        await self.ask("PLAY", self.url, Range="npt=now-")

    async def set_up(self, by_udp=False):
        """All requests before PLAY. With UDP no program receives the packets, except where a test listens at `udp_port`."""
        await self.connect()
        description = await self.ask("DESCRIBE", self.url, Accept="application/sdp")
        controls = re.findall(r"^a=control:(\S+)", description, re.MULTILINE)
        tracks = [control for control in controls if control != "*"]
        for index, track in enumerate(tracks):
            url = track if "://" in track else f"{self.url}/{track}"
            numbers = f"{2 * index}-{2 * index + 1}"
            port = self.udp_port + 2 * index
            await self.ask("SETUP", url, Transport=f"RTP/AVP;unicast;client_port={port}-{port + 1}" if by_udp
                           else f"RTP/AVP/TCP;unicast;interleaved={numbers}")

    async def end(self):
        """Ends the session, and stays connected."""
        await self.ask("TEARDOWN", self.url)

    async def ask(self, method, url, **fields):
        """Sends a request, and returns the body of the response."""
        while True:
            self._number += 1
            if self.session:
                fields["Session"] = self.session
            if self._challenge:
                fields["Authorization"] = self._authorization(method, url)
            lines = [f"{method} {url} RTSP/1.0", f"CSeq: {self._number}", *(f"{key}: {fields[key]}" for key in fields)]
            self._writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
            status, answer, body = await self._answer()
            if status == 401 and self.password and not self._challenge:
                self._challenge = dict(re.findall(r'(\w+)="([^"]*)"', answer["www-authenticate"]))
                continue
            if status != 200:
                raise Refused(status)
            self.session = answer.get("session", self.session or "").partition(";")[0]
            return body

    def _authorization(self, method, url):
        def digest(*words):
            return hashlib.md5(":".join(words).encode()).hexdigest()

        realm, nonce = self._challenge["realm"], self._challenge["nonce"]
        response = digest(digest(self.user, realm, self.password), nonce, digest(method, url))
        return (f'Digest username="{self.user}", realm="{realm}", nonce="{nonce}", uri="{url}", '
                f'response="{response}"')

    async def _answer(self):
        while (first := await self._reader.readexactly(1)) == b"$":
            await self._take_packet()
        head = (first + await self._reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        body = await self._reader.readexactly(int(fields.get("content-length", 0)))
        return int(lines[0].split()[1]), fields, body.decode()

    async def watch(self):
        """Counts packets until the server ends the connection."""
        try:
            while True:
                if await self._reader.readexactly(1) == b"$":
                    await self._take_packet()
                else:
                    await self._reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            self.is_closed = True

    async def _take_packet(self):
        channel, high, low = await self._reader.readexactly(3)
        packet = await self._reader.readexactly(high << 8 | low)
        if channel == CHANNEL and len(packet) >= 14:
            self.take(packet)

    def take(self, packet):
        """Counts a packet of the video."""
        sequence = packet[2] << 8 | packet[3]
        if self._sequence is not None:
            self.gaps += (sequence - self._sequence - 1) & 0xFFFF
        self._sequence = sequence
        if self.begins_with_key is None:
            self.begins_with_key = kind(packet[12:]) in (*PARAMETER_SETS, KEY_SLICE)
        time = int.from_bytes(packet[4:8], "big")
        if self._first_time is None:
            self._first_time = time
        # The last packet of a frame has the marker.
        if packet[1] >> 7:
            self.pictures += 1
            self.times.append(round(((time - self._first_time) & 0xFFFFFFFF) / FRAME))

    def write(self, anything):
        self._writer.write(anything)

    def vanish(self):
        """Disappears without closing the connection, like a host that has changed its network."""
        self._writer.transport.abort()

    def close(self):
        if self._writer:
            self._writer.close()


def kind(payload):
    """The type of the first NAL unit in a packet."""
    first = payload[0] & 31
    if first == FRAGMENT:
        return payload[1] & 31
    return payload[3] & 31 if first == SINGLE_TIME_AGGREGATE else first
