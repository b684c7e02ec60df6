# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The machine-readable contents of a frame of the built-in camera, and the time at which it was due.

Frame number n is due n frame durations after the start of the camera, and its time stamp is that time of
CLOCK_MONOTONIC, however late it is drawn. The number is in a row of blocks (`number_row`). The start of the camera is
not in the frame (its displayed clock counts from there): it follows from the time stamp of any frame, as printed by
`obscura extract --timestamps` and `--stats json`. The flash at the start of each second is independent of time stamps.
"""

import fractions
import itertools
import statistics

SECOND = 10**9


def is_flashing(luma, width, height):
    """Whether the upper right corner is white, as in the first tenth of each second."""
    side = max(2, min(width, height) // 8)
    return luma[side // 2 * width + width - side + side // 2] > 127


class Schedule:
    """The due time of each number, in nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, begin, rate=30):
        self.begin, self.rate = begin, fractions.Fraction(rate)

    @classmethod
    def of_stamp(cls, stamp, number=0, rate=30):
        """The schedule from the time stamp of one frame, exact to the one or two nanoseconds of rounding."""
        return cls(stamp - round(number * SECOND / fractions.Fraction(rate)), rate)

    def due(self, number):
        return self.begin + round(number * SECOND / self.rate)

    def number(self, stamp):
        """The number of the frame with this time stamp."""
        return round((stamp - self.begin) * self.rate / SECOND)

    def flash_error(self, seen):
        """The minimum difference of the schedule and the flashes, in milliseconds; 0 if they are consistent.

        A frame flashes if its middle is in the first tenth of a second. At 30 frames per second this determines the
        start to within a frame, at a rate such as 29.6, which has all phases, to a few milliseconds.
        """
        half, errors = SECOND / self.rate / 2, [0]
        for one in seen:
            if one.number is None:
                continue
            place = (self.due(one.number) + half) % SECOND
            edge = min(abs(place - where) for where in (0, SECOND // 10, SECOND))
            if (place < SECOND // 10) != one.is_flashing:
                errors.append(float(edge) / 1e6)
        return max(errors)


def missing(seen, sent=None):
    """The missing numbers between the first and the last; only those in `sent`, if that is given."""
    numbers = {one.number for one in seen if one.number is not None}
    if not numbers:
        return []
    between = range(min(numbers), max(numbers) + 1)
    return [number for number in between if number not in numbers and (sent is None or number in sent)]


def misplaced(seen):
    """The frames that are duplicates, or follow one with a higher number."""
    numbers = [one.number for one in seen if one.number is not None]
    return [later for earlier, later in itertools.pairwise(numbers) if later <= earlier]


def delays(seen, schedule):
    """The delay of each frame, in milliseconds."""
    return [(one.moment - schedule.due(one.number)) / 1e6 for one in seen if one.number is not None]


def percentiles(values):
    """Median and 95th percentile."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
