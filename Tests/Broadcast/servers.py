# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The real servers that a broadcast is sent to. Each is a context manager: entered when it is ready, with

    url           the address to send to, in FFmpeg's form
    reading_url   the address that the far end reads (see farend.py), with the lowest latency
    probe()       the streams that ffprobe finds at the far end; a UDP port has one reader at a time
    kill()        kills it, as the out-of-memory killer does; `restart()` starts it again on the same port
"""

from hls_server import HLSServer
from rtmp_server import RTMPServer, StreamKeyGate
from rtsp_server import RTSPServer
from srt_server import SRTCaller, SRTListener
from udp_receiver import UDPReceiver

__all__ = ["HLSServer", "RTMPServer", "RTSPServer", "SRTCaller", "SRTListener", "StreamKeyGate", "UDPReceiver"]
