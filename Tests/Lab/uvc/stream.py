# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The stream of a camera: negotiation, frames at their times, and the faults that a test asks for."""

import collections
import struct

import cable
import controls
import formats
import jpeg
import pictures

PROBE, COMMIT = 1, 2
# Bits of the payload header: the frame's parity, its end, a fault, and the end of the header.
FRAME_ID, END_OF_FRAME, FAULT, END_OF_HEADER = 0x01, 0x02, 0x40, 0x80
CORRUPTIONS = {
    "fault": "the payload has the error bit",
    "half": "only the first half of the picture is sent",
    "same-id": "the frame has the parity of the one before",
    "no-end": "the end of the frame is not marked",
    "empty": "the payload has a header alone",
    "noise": "the second half of the picture is replaced by other bytes",
}


class Stream:
    def __init__(self, answer):
        """`answer(transfer, data, status)` completes a transfer."""
        self._answer = answer
        self._probe = self._mode = formats.Mode()
        self.color = None
        # The number of the next picture; it counts the frames that are not sent, too.
        self.number = 0
        # The time of the next frame in seconds; None while the stream is stopped.
        self.due = None
        # The real rate, if it is not the agreed one: as in the dark.
        self.rate = None
        self.is_frozen = False
        self.skipped_count = 0
        self._is_halted = False
        self._drops = 0
        self._corruptions = collections.deque()
        self._frame_id = 0
        self._transfers = collections.OrderedDict()
        self._payload = b""
        self._sent = 0

    # MARK: Requests

    def request(self, code, selector, data, now):
        """The answer to a request of the class; raises controls.Stall."""
        if selector not in (PROBE, COMMIT):
            raise controls.Stall(controls.Stall.INVALID_CONTROL)
        if code == controls.SET_CUR:
            self._probe = formats.Mode.nearest(data)
            if selector == COMMIT:
                self._start(now)
            return b""
        if code == controls.GET_LEN:
            return struct.pack("<H", formats.Mode.LAYOUT.size)
        if code == controls.GET_INFO:
            return bytes([controls.CAN_GET | controls.CAN_SET])
        return self._probe.packed()

    def _start(self, now):
        self._mode = self._probe
        self._payload = b""
        self.due = now

    def clear_halt(self):
        """Of the endpoint; by this the driver ends a stream."""
        self._is_halted = False
        self.due = None
        self._payload = b""

    @property
    def is_running(self):
        return self.due is not None

    @property
    def state(self):
        """In words, for people."""
        size, rate = self._mode.size, formats.SECOND / self._mode.interval
        return (f"streams={self.is_running} mode={self._mode.format.name}:{size.width}x{size.height}@{rate:g} "
                f"number={self.number} skipped={self.skipped_count}")

    # MARK: Transfers

    def submit(self, transfer):
        if self._is_halted:
            return self._answer(transfer, b"", cable.STALLED)
        self._transfers[transfer.sequence] = transfer
        self._send()
        return None

    def withdraw(self, sequence):
        """Whether the transfer was pending."""
        return self._transfers.pop(sequence, None) is not None

    def _send(self):
        while self._payload and self._transfers:
            _, transfer = self._transfers.popitem(last=False)
            part = self._payload[self._sent:self._sent + transfer.length]
            self._sent += len(part)
            self._answer(transfer, part, cable.OK)
            # A part that does not fill its transfer ends the payload; so does one that reaches the agreed limit.
            if len(part) < transfer.length or self._sent == self._mode.payload_limit:
                self._payload = b""

    # MARK: Frames

    def tick(self, now):
        """Sends the frame that is due."""
        interval = 1 / self.rate if self.rate else self._mode.interval / formats.SECOND
        # After a delay the stream continues with the present frame, as a camera does.
        late = int((now - self.due) / interval)
        self.due += (1 + late) * interval
        self.number += 1 + late
        self.skipped_count += late
        if self.is_frozen or self._is_halted:
            return
        if self._drops > 0:
            self._drops -= 1
        elif self._payload:
            # The host has not taken the frame before.
            self.skipped_count += 1
        else:
            self._payload, self._sent = self._next_payload(), 0
            self._send()

    def _next_payload(self):
        size = self._mode.size
        draw = {"YUY2": pictures.yuy2, "MJPEG": jpeg.jpeg}[self._mode.format.name]
        picture = draw(size.width, size.height, self.number, self.color)
        fault = self._corruptions.popleft() if self._corruptions else None
        if fault != "same-id":
            self._frame_id ^= FRAME_ID
        flags = END_OF_HEADER | self._frame_id
        if fault != "no-end":
            flags |= END_OF_FRAME
        if fault == "fault":
            flags |= FAULT
        half = len(picture) // 2
        if fault == "half":
            picture = picture[:half]
        elif fault == "empty":
            picture = b""
        elif fault == "noise":
            picture = picture[:half] + bytes(index * 37 % 251 for index in range(len(picture) - half))
        return bytes([formats.HEADER_LENGTH, flags]) + picture

    # MARK: Faults

    def drop(self, count):
        """Leaves out frames. A driver does not notice it."""
        self._drops += count

    def corrupt(self, kind, count):
        self._corruptions.extend([kind] * count)

    def halt(self):
        """Halts the endpoint until the host clears it."""
        self._is_halted = True
        self._payload = b""
        while self._transfers:
            _, transfer = self._transfers.popitem(last=False)
            self._answer(transfer, b"", cable.STALLED)
