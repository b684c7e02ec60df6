# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""GStreamer's RTSP server, which streams are published to; see rtsp_record.py."""

import dataclasses
import pathlib

import farend
import processes
import server

SCRIPT = pathlib.Path(__file__).with_name("rtsp_record.py")
# GStreamer's bindings are packaged for the system's Python.
PYTHON = "/usr/bin/python3"


class RTSPServer(server.Server):
    """Accepts RTP over one transport, `tcp` or `udp`, from any client or with a password; video and sound, or only
    video."""

    name = "rtsp-server"

    def __init__(self, transport="tcp", user=None, password=None, has_audio=True, **place):
        super().__init__(**place)
        self.has_audio = has_audio
        self.transport, self.user, self.password = transport, user, password
        self.picture_port, self.sound_port = processes.free_port("udp"), processes.free_port("udp")

    def command(self):
        login = ["--user", self.user, "--password", self.password] if self.user else []
        ports = [self.port, self.picture_port, self.sound_port]
        return [PYTHON, "-B", SCRIPT, self.host, *ports, "--transport", self.transport, *login]

    @property
    def url(self):
        login = f"{self.user}:{self.password}@" if self.user else ""
        return f"rtsp://{login}{self.host}:{self.port}/{'live' if self.has_audio else 'silent'}"

    @property
    def reading_url(self):
        """The address of the video stream."""
        return f"udp://{self.host}:{self.picture_port}"

    def probe(self):
        found = farend.probe(self.reading_url)
        if not self.has_audio:
            return found
        return dataclasses.replace(found, audio=farend.probe(f"udp://{self.host}:{self.sound_port}").audio)
