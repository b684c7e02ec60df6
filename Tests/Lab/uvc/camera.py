# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""One camera: its cable, and what answers the requests that arrive there."""

import struct
import time

import cable
import controls
import descriptors
import stream

GET_STATUS, CLEAR_FEATURE, GET_DESCRIPTOR, GET_CONFIGURATION = 0, 1, 6, 8
TYPES, STANDARD, CLASS = 0x60, 0x00, 0x20
RECIPIENT, ENDPOINT = 0x1f, 2


class Camera:
    def __init__(self, port, manufacturer="Obscura", product="Lab camera", serial=None):
        self.manufacturer, self.product, self.serial = manufacturer, product, serial
        self.cable = cable.Cable(port)
        self._begin()

    def _begin(self):
        """The state of a camera that has just got its power."""
        self._descriptors = descriptors.Descriptors(self.manufacturer, self.product, self.serial)
        self.controls = controls.Controls()
        self.stream = stream.Stream(self.cable.answer)

    def plug(self):
        """Returns the socket on which `receive` is called when there is something to receive."""
        color = self.stream.color
        self._begin()
        self.stream.color = color
        return self.cable.plug()

    def unplug(self):
        self.cable.unplug()
        self.stream.clear_halt()

    def receive(self):
        for request in self.cable.receive():
            if isinstance(request, cable.Transfer):
                self._submit(request)
            else:
                sequence, victim = request
                self.cable.answer_withdrawal(sequence, self.stream.withdraw(victim))

    def _submit(self, transfer):
        if transfer.endpoint == descriptors.ENDPOINT:
            self.stream.submit(transfer)
            return
        try:
            data = self._control(transfer)
        except controls.Stall:
            self.cable.answer(transfer, status=cable.STALLED)
        else:
            self.cable.answer(transfer, data[:transfer.length])

    def _control(self, transfer):
        kind, request, value, index, _ = struct.unpack("<BBHHH", transfer.setup)
        if kind & TYPES == STANDARD:
            return self._standard(kind, request, value)
        if kind & TYPES != CLASS:
            raise controls.Stall(controls.Stall.INVALID_REQUEST)
        entity, interface, selector = index >> 8, index & 0xff, value >> 8
        if interface == 1:
            return self.stream.request(request, selector, transfer.data, time.monotonic())
        return self.controls.request(request, entity, selector, transfer.data)

    def _standard(self, kind, request, value):
        if request == GET_DESCRIPTOR:
            found = self._descriptors.get(value >> 8, value & 0xff)
            if found is None:
                raise controls.Stall(controls.Stall.INVALID_REQUEST)
            return found
        if request == GET_STATUS:
            return bytes(2)
        if request == GET_CONFIGURATION:
            return bytes([1])
        if request == CLEAR_FEATURE and kind & RECIPIENT == ENDPOINT:
            self.stream.clear_halt()
        # The others, such as SET_CONFIGURATION, leave nothing to choose.
        return b""
