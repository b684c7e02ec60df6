# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Reads the number in a frame of the built-in camera: a row of blocks at the lower edge of the picture.

The blocks: white, black, the 32 bits of the number as a Gray code (most significant first), their parity. Successive
numbers differ in one block and the parity, so a decoder at a low bit rate, which mixes a frame with the one before,
never shows a third number.
"""

import itertools
import operator

BLOCKS = 35


def place(height):
    """The row of pixels in the middle of the blocks."""
    return height - max(1, height // 8) // 2 - 1


def shown(luma, width, height):
    """The number in a luma plane; None if it cannot be read."""
    begin = place(height) * width
    return number(luma[begin:begin + width])


def number(row):
    """The number in a row of brightness values; None if it cannot be read."""
    width = len(row)
    bits = [int(row[(block * width // BLOCKS + (block + 1) * width // BLOCKS) // 2] > 127) for block in range(BLOCKS)]
    code = bits[2:34]
    if not bits[0] or bits[1] or sum(code) % 2 != bits[34]:
        return None
    return int("".join(map(str, itertools.accumulate(code, operator.xor))), 2)
