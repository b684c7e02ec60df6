# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The real servers that a broadcast is sent to. Each is a context manager: entered when it is ready, with

    url           where to send to, as FFmpeg writes it
    reading_url   where the far end watches what came (see farend.py), with the least delay
    probe()       what ffprobe finds at the far end; a UDP port has one reader at a time
    kill()        as the out-of-memory killer does; `restart()` brings it back at the same port
"""

from hls_server import HLSServer
from rtmp_server import RTMPServer, StreamKeyGate
from rtsp_server import RTSPServer
from srt_server import SRTCaller, SRTListener
from udp_receiver import UDPReceiver

__all__ = ["HLSServer", "RTMPServer", "RTSPServer", "SRTCaller", "SRTListener", "StreamKeyGate", "UDPReceiver"]
