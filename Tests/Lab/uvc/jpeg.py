# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Baseline JPEG of pictures that consist of bands of 8 equal rows: 4:2:2, each band after a restart marker.

In such a block only the horizontal frequencies differ from zero. Nothing is quantized, and all codes of a table have
the same length.
"""

import functools
import math
import struct

import pictures

# The places of the horizontal frequencies in the zigzag order.
PLACES = (0, 1, 5, 6, 14, 15, 27, 28)
COSINES = [[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(2) if u else 1) for x in range(8)] for u in range(8)]
# Sizes of the differences of the means, in 4 bits; runs of zeros with the sizes of what follows, in 8 bits.
DC_SYMBOLS = bytes(range(12))
AC_SYMBOLS = bytes([0x00, 0xf0] + [run << 4 | size for run in range(16) for size in range(1, 11)])
DC_CODES = {symbol: f"{code:04b}" for code, symbol in enumerate(DC_SYMBOLS)}
AC_CODES = {symbol: f"{code:08b}" for code, symbol in enumerate(AC_SYMBOLS)}
END_OF_BLOCK, SIXTEEN_ZEROS = AC_CODES[0x00], AC_CODES[0xf0]


def segment(marker, body):
    return struct.pack(">BBH", 0xff, marker, len(body) + 2) + body


def table(kind, symbols, length):
    counts = [len(symbols) if bits == length else 0 for bits in range(1, 17)]
    return segment(0xc4, bytes([kind]) + bytes(counts) + symbols)


@functools.cache
def header(width, height):
    sampling = bytes([1, 0x21, 0, 2, 0x11, 0, 3, 0x11, 0])
    return b"".join([
        b"\xff\xd8",
        segment(0xe0, b"JFIF\0" + bytes([1, 1, 0, 0, 1, 0, 1, 0, 0])),
        segment(0xdb, bytes([0]) + bytes([1] * 64)),
        segment(0xc0, struct.pack(">BHHB", 8, height, width, 3) + sampling),
        table(0x00, DC_SYMBOLS, 4), table(0x10, AC_SYMBOLS, 8),
        # As many units of 16 pixels as a band has.
        segment(0xdd, struct.pack(">H", width // 16)),
        segment(0xda, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
    ])


def number_bits(value):
    """The size of a number and its bits; a negative one in ones' complement."""
    size = abs(value).bit_length()
    return size, f"{value if value > 0 else value + (1 << size) - 1:0{size}b}" if size else ""


@functools.lru_cache(1024)
def frequencies(samples):
    """The mean (times 8) of a block with this row, and the bits of its other coefficients."""
    values = [round(sum(map(float.__mul__, row, [float(one - 128) for one in samples]))) for row in COSINES]
    bits, last = [], 0
    for place, value in zip(PLACES[1:], values[1:]):
        if value == 0:
            continue
        zeros = place - last - 1
        last = place
        size, digits = number_bits(value)
        bits += [SIXTEEN_ZEROS] * (zeros // 16) + [AC_CODES[zeros % 16 << 4 | size], digits]
    return values[0], "".join(bits) + END_OF_BLOCK


@functools.lru_cache(256)
def band(runs):
    """The bits of a band, filled up to whole bytes."""
    rows = pictures.components(runs, pictures.full_range)
    bits, means = [], [0, 0, 0]
    for unit in range(len(rows[1]) // 8):
        for component, block in ((0, 2 * unit), (0, 2 * unit + 1), (1, unit), (2, unit)):
            mean, rest = frequencies(rows[component][8 * block:8 * block + 8])
            size, digits = number_bits(mean - means[component])
            means[component] = mean
            bits += [DC_CODES[size], digits, rest]
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")


def jpeg(width, height, number, color=None):
    parts = [header(width, height)]
    for index, runs in enumerate(pictures.bands(width, height, number, color)):
        if index > 0:
            parts.append(bytes([0xff, 0xd0 + (index - 1) % 8]))
        parts.append(band(runs))
    return b"".join(parts) + b"\xff\xd9"
