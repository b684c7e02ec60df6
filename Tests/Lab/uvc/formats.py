# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The formats of the cameras: pixel formats, sizes and frame intervals, and their negotiation (UVC 1.0, 4.3.1.1)."""

import dataclasses
import struct

# The bytes before the picture of a payload.
HEADER_LENGTH = 2
# The unit of a frame interval is 100 ns.
SECOND = 10_000_000


@dataclasses.dataclass(frozen=True)
class Size:
    """A size with its frame rates, the default one first."""

    width: int
    height: int
    rates: tuple
    # Whether any interval between the highest and the lowest rate is possible.
    is_continuous: bool = False

    @property
    def byte_count(self):
        """The largest picture: that of YUY2."""
        return self.width * self.height * 2

    @property
    def intervals(self):
        """The frame intervals, ascending."""
        return sorted(round(SECOND / rate) for rate in self.rates)

    def nearest(self, interval):
        intervals = self.intervals
        if self.is_continuous:
            return min(max(interval, intervals[0]), intervals[-1])
        return min(intervals, key=lambda one: abs(one - interval))


@dataclasses.dataclass(frozen=True)
class Format:
    name: str
    sizes: tuple


FORMATS = (
    Format("YUY2", (
        Size(320, 180, (30, 15, 10)),
        Size(160, 120, (30, 15, 10)),
        Size(320, 240, (30, 15, 10)),
        Size(640, 480, (10, 5)),
    )),
    Format("MJPEG", (
        Size(320, 180, (30, 15, 10)),
        Size(320, 240, (30, 5), is_continuous=True),
        Size(640, 480, (15, 10)),
    )),
)


@dataclasses.dataclass(frozen=True)
class Mode:
    """An agreed stream. The indices begin with 1, as in the descriptors."""

    format_index: int = 1
    frame_index: int = 1
    interval: int = SECOND // 30

    # bmHint, bFormatIndex, bFrameIndex, dwFrameInterval; five fields about compression and delay;
    # dwMaxVideoFrameSize, dwMaxPayloadTransferSize.
    LAYOUT = struct.Struct("<HBBI5HII")

    @property
    def format(self):
        return FORMATS[self.format_index - 1]

    @property
    def size(self):
        return self.format.sizes[self.frame_index - 1]

    @property
    def payload_limit(self):
        return self.size.byte_count + HEADER_LENGTH

    @staticmethod
    def nearest(data):
        """The possible mode that is nearest to the requested one."""
        _, format_index, frame_index, interval, *_ = Mode.LAYOUT.unpack(data[:Mode.LAYOUT.size])
        format_index = min(max(1, format_index), len(FORMATS))
        frame_index = min(max(1, frame_index), len(FORMATS[format_index - 1].sizes))
        size = FORMATS[format_index - 1].sizes[frame_index - 1]
        return Mode(format_index, frame_index, size.nearest(interval))

    def packed(self):
        return self.LAYOUT.pack(
            1, self.format_index, self.frame_index, self.interval, 0, 0, 0, 0, 0, self.size.byte_count,
            self.payload_limit)
