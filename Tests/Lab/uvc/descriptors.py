# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The descriptors of a camera (USB 2.0, chapter 9; UVC 1.0, chapter 3): two interfaces and one bulk endpoint."""

import struct

import controls
import formats

VENDOR_ID, PRODUCT_ID = 0x1d6b, 0x0102
ENDPOINT = 1
PACKET_SIZE = 512

DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT_TYPE, QUALIFIER, ASSOCIATION = 1, 2, 3, 4, 5, 6, 11
CLASS_INTERFACE = 0x24
VIDEO, CONTROL, STREAMING, COLLECTION = 0x0e, 1, 2, 3
# The descriptors of a format and its sizes, by the format's name.
FORMAT_TYPES = {"YUY2": (4, 5), "MJPEG": (6, 7)}
YUY2 = bytes.fromhex("5955593200001000800000aa00389b71")
ENGLISH = 0x0409


def u16(value):
    return struct.pack("<H", value)


def u32(value):
    return struct.pack("<I", value)


def descriptor(kind, *parts):
    """A descriptor with its length in front; a number is one byte."""
    body = b"".join(part if isinstance(part, bytes) else bytes([part]) for part in parts)
    return bytes([len(body) + 2, kind]) + body


def frame(subtype, index, size):
    intervals = size.intervals
    rate = size.byte_count * 8
    if size.is_continuous:
        choice = [0, u32(intervals[0]), u32(intervals[-1]), u32(1)]
    else:
        choice = [len(intervals), *map(u32, intervals)]
    return descriptor(
        CLASS_INTERFACE, subtype, index, 0, u16(size.width), u16(size.height),
        u32(rate * min(size.rates)), u32(rate * max(size.rates)), u32(size.byte_count),
        u32(round(formats.SECOND / size.rates[0])), *choice)


def format_descriptors(index, one):
    subtype, frame_subtype = FORMAT_TYPES[one.name]
    if one.name == "YUY2":
        head = descriptor(CLASS_INTERFACE, subtype, index, len(one.sizes), YUY2, 16, 1, 0, 0, 0, 0)
    else:
        head = descriptor(CLASS_INTERFACE, subtype, index, len(one.sizes), 1, 1, 0, 0, 0, 0)
    frames = [frame(frame_subtype, number, size) for number, size in enumerate(one.sizes, 1)]
    # Color: the primaries of BT.709 and sRGB, the transfer function of BT.709, the matrix of BT.601.
    return head + b"".join(frames) + descriptor(CLASS_INTERFACE, 13, 1, 1, 4)


def control_interface():
    terminal, unit = controls.CAMERA_TERMINAL, controls.PROCESSING_UNIT
    entities = b"".join([
        # A camera, a processing unit behind it, and the stream.
        descriptor(CLASS_INTERFACE, 2, terminal, u16(0x0201), 0, 0, u16(0), u16(0), u16(0), 3,
                   controls.bits(terminal)),
        descriptor(CLASS_INTERFACE, 5, unit, terminal, u16(0), 3, controls.bits(unit), 0),
        descriptor(CLASS_INTERFACE, 3, controls.OUTPUT_TERMINAL, u16(0x0101), 0, unit, 0),
    ])
    header = descriptor(CLASS_INTERFACE, 1, u16(0x0100), u16(13 + len(entities)), u32(6_000_000), 1, 1)
    return descriptor(INTERFACE, 0, 0, 0, VIDEO, CONTROL, 0, 2) + header + entities


def streaming_interface():
    all_formats = b"".join(format_descriptors(index, one) for index, one in enumerate(formats.FORMATS, 1))
    count = len(formats.FORMATS)
    header = descriptor(
        CLASS_INTERFACE, 1, count, u16(13 + count + len(all_formats)), 0x80 | ENDPOINT, 0,
        controls.OUTPUT_TERMINAL, 0, 0, 0, 1, bytes(count))
    endpoint = descriptor(ENDPOINT_TYPE, 0x80 | ENDPOINT, 2, u16(PACKET_SIZE), 0)
    return descriptor(INTERFACE, 1, 0, 1, VIDEO, STREAMING, 0, 0) + header + all_formats + endpoint


class Descriptors:
    def __init__(self, manufacturer, product, serial):
        self._strings = [None, manufacturer, product, serial]
        common = [u16(0x0200), 0xef, 2, 1, 64]
        names = [1, 2, 3 if serial else 0]
        interfaces = descriptor(ASSOCIATION, 0, 2, VIDEO, COLLECTION, 0, 2)
        interfaces += control_interface() + streaming_interface()
        self._known = {
            DEVICE: descriptor(DEVICE, *common, u16(VENDOR_ID), u16(PRODUCT_ID), u16(0x0100), *names, 1),
            # Powered by the bus, with 100 mA.
            CONFIGURATION: descriptor(
                CONFIGURATION, u16(9 + len(interfaces)), 2, 1, 0, 0x80, 50) + interfaces,
            QUALIFIER: descriptor(QUALIFIER, *common, 1, 0),
        }

    def get(self, kind, index):
        """The descriptor; None if there is none."""
        if kind != STRING:
            return self._known.get(kind)
        if index == 0:
            return descriptor(STRING, u16(ENGLISH))
        text = self._strings[index] if index < len(self._strings) else None
        return descriptor(STRING, text.encode("utf-16-le")) if text else None
