# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""An RTSP server that streams are published to (ANNOUNCE and RECORD): GStreamer's, in a separate process. It forwards
the received H.264 and AAC at once as MPEG-TS over UDP: video to one port and sound to another, so that neither waits
for the other.

    rtsp_record.py HOST PORT PICTURE-PORT SOUND-PORT [--transport tcp|udp] [--user USER --password PASSWORD]

/live accepts video and sound, in this order, /silent only video: the server must know the number of streams in advance.
"""

import argparse

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")

from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

# The time to wait for reordered or late packets, in milliseconds; packets in order are forwarded at once.
# With 20 the server may forward nothing at all on a busy machine.
JITTER = 200
UNIT = "video/x-h264,stream-format=byte-stream,alignment=au"
# Each frame is forwarded when it is complete, not at its presentation time.
VIDEO = f"rtph264depay name=depay0 ! {UNIT} ! h264parse config-interval=-1 ! {UNIT}"
# An RTP packet may contain several blocks of sound with one time: the second parser computes the times of the others.
AUDIO = "rtpmp4gdepay name=depay1 ! aacparse ! audio/mpeg,stream-format=adts ! aacparse"
# One packet per datagram: with seven, the last ones would wait for the next frame.
SINK = "mpegtsmux alignment=1 ! udpsink host={host} port={port} sync=false async=false"


def factory(options, *streams):
    """Accepts streams in this order, each with the port to which it is forwarded."""
    made = GstRtspServer.RTSPMediaFactory()
    made.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
    parts = [f"{parts} ! {SINK.format(host=options.host, port=port)}" for parts, port in streams]
    made.set_launch(f"( {' '.join(parts)} )")
    made.set_latency(JITTER)
    lower = {"tcp": GstRtsp.RTSPLowerTrans.TCP, "udp": GstRtsp.RTSPLowerTrans.UDP}
    made.set_protocols(lower[options.transport])
    if options.user:
        role, _ = Gst.Structure.from_string(
            f"{options.user}, media.factory.access=(boolean)true, media.factory.construct=(boolean)true")
        made.add_role_from_structure(role)
    return made


def authentication(options):
    """Only digest authentication: clients that would send the password itself are rejected."""
    made = GstRtspServer.RTSPAuth()
    made.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", options.user)
    made.add_digest(options.user, options.password, token)
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port")
    parser.add_argument("picture", type=int)
    parser.add_argument("sound", type=int)
    parser.add_argument("--transport", choices=["tcp", "udp"], default="tcp")
    parser.add_argument("--user")
    parser.add_argument("--password")
    options = parser.parse_args()
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address(options.host)
    server.set_service(options.port)
    if options.user:
        server.set_auth(authentication(options))
    mounts = server.get_mount_points()
    mounts.add_factory("/live", factory(options, (VIDEO, options.picture), (AUDIO, options.sound)))
    mounts.add_factory("/silent", factory(options, (VIDEO, options.picture)))
    server.attach(None)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
