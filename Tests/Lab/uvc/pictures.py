# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The pictures of the cameras, without a library: bars or one color, a moving box, and the number of the frame.

A picture is a list of bands of 8 rows. All rows of a band are equal: a band is a tuple of runs (width, color). So a
picture is encoded band by band, and the bands that do not move are encoded once.

The number is in the form of Obscura's PatternScene: a white and a black block, 32 blocks of its Gray code, and one of
their parity, in the lowest eighth of the picture.
"""

import functools

BAND = 8
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
BARS = [WHITE, (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), BLACK]
COLORS = {
    "white": WHITE, "black": BLACK, "red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "bars": None,
}
BLOCKS = 35
BOX = 16


def split(width, colors):
    """Runs of about the same width."""
    ends = [index * width // len(colors) for index in range(len(colors) + 1)]
    return tuple((end - begin, color) for begin, end, color in zip(ends, ends[1:], colors))


def number_blocks(number):
    code = number ^ number >> 1
    bits = [1, 0, *(code >> (31 - place) & 1 for place in range(32)), code.bit_count() % 2]
    return [WHITE if bit else BLACK for bit in bits]


def bands(width, height, number, color):
    """The bands of the frame with this number; `color` is None for bars."""
    count = -(-height // BAND)
    # The band with the first whole row of the lowest eighth, and those below.
    numbered = -(-(height - height // 8) // BAND)
    still = split(width, [color] if color else BARS)
    left = number * BOX % (width - 2 * BOX)
    moving = ((left, BLACK), (BOX, WHITE), (width - left - BOX, BLACK))
    middle = count // 2
    return (
        [still] * middle + [moving] * 2 + [still] * (numbered - middle - 2)
        + [split(width, number_blocks(number))] * (count - numbered))


def ycbcr(color):
    """BT.601, as fractions: luma of 0 to 1, color differences of -0.5 to 0.5."""
    red, green, blue = (channel / 255 for channel in color)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return luma, (blue - luma) / 1.772, (red - luma) / 1.402


@functools.cache
def full_range(color):
    luma, blue, red = ycbcr(color)
    return tuple(min(255, max(0, round(value))) for value in (255 * luma, 128 + 255 * blue, 128 + 255 * red))


@functools.cache
def limited_range(color):
    luma, blue, red = ycbcr(color)
    return round(16 + 219 * luma), round(128 + 224 * blue), round(128 + 224 * red)


def components(runs, conversion):
    """The bytes of luma, blue and red difference of a row; a color difference for each second pixel."""
    rows = [b"".join(bytes([conversion(color)[index]]) * width for width, color in runs) for index in range(3)]
    return rows[0], rows[1][::2], rows[2][::2]


@functools.lru_cache(256)
def yuy2_band(runs):
    luma, blue, red = components(runs, limited_range)
    row = bytearray(2 * len(luma))
    row[0::2], row[1::4], row[3::4] = luma, blue, red
    return bytes(row) * BAND


def yuy2(width, height, number, color=None):
    return b"".join(map(yuy2_band, bands(width, height, number, color)))[:2 * width * height]
