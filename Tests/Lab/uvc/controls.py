# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The controls of the cameras, with the behavior of real ones: ranges, steps, and values that an automatic mode sets."""

import dataclasses
import struct

CAMERA_TERMINAL, PROCESSING_UNIT, OUTPUT_TERMINAL = 1, 2, 3

SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = 0x01, *range(0x81, 0x88)

# Bits of GET_INFO.
CAN_GET, CAN_SET, IS_AUTOMATIC, UPDATES_ITSELF = 1, 2, 4, 8


class Stall(Exception):
    """The device does not accept the request. The reason is that of VC_REQUEST_ERROR_CODE_CONTROL (4.2.1.2)."""

    WRONG_STATE, OUT_OF_RANGE, INVALID_UNIT, INVALID_CONTROL, INVALID_REQUEST = 2, 4, 5, 6, 7

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


@dataclasses.dataclass
class Control:
    """A control of one or several numbers."""

    name: str
    entity: int
    selector: int
    # Its bit in bmControls of the entity.
    bit: int
    layout: str
    minimum: tuple
    maximum: tuple
    # The steps; for a bitmap the supported bits.
    resolution: tuple
    default: tuple
    # The name of the control whose automatic mode governs this one, and the value that it sets.
    governor: str | None = None
    automatic: tuple = ()
    is_bitmap: bool = False

    def __post_init__(self):
        self.current = self.default

    @property
    def packing(self):
        return struct.Struct("<" + self.layout)

    def accepts(self, values):
        if self.is_bitmap:
            return values[0].bit_count() == 1 and values[0] & self.resolution[0] != 0
        return all(
            low <= value <= high and (value - low) % step == 0
            for value, low, high, step in zip(values, self.minimum, self.maximum, self.resolution))


def number(name, entity, selector, bit, layout, minimum, maximum, step, default, **more):
    return Control(name, entity, selector, bit, layout, (minimum,), (maximum,), (step,), (default,), **more)


# Of the exposure modes: manual, and automatic exposure time with a fixed aperture.
MANUAL_EXPOSURE, APERTURE_PRIORITY = 1, 8


def all_controls():
    camera, unit = CAMERA_TERMINAL, PROCESSING_UNIT
    return [
        Control("exposure-mode", camera, 0x02, 1, "B", (1,), (8,), (MANUAL_EXPOSURE | APERTURE_PRIORITY,),
                (APERTURE_PRIORITY,), is_bitmap=True),
        # In units of 100 µs.
        number("exposure-time", camera, 0x04, 3, "I", 1, 5000, 1, 156, governor="exposure-mode", automatic=(250,)),
        # In millimeters.
        number("focus", camera, 0x06, 5, "H", 0, 250, 5, 0, governor="focus-auto", automatic=(35,)),
        number("focus-auto", camera, 0x08, 17, "B", 0, 1, 1, 1),
        number("zoom", camera, 0x0b, 9, "H", 100, 400, 1, 100),
        # In arc seconds: pan and tilt.
        Control("pan-tilt", camera, 0x0d, 11, "ii", (-36000, -36000), (36000, 36000), (3600, 3600), (0, 0)),
        number("backlight-compensation", unit, 0x01, 8, "H", 0, 2, 1, 0),
        number("brightness", unit, 0x02, 0, "h", 0, 255, 1, 128),
        number("contrast", unit, 0x03, 1, "H", 0, 100, 1, 32),
        number("gain", unit, 0x04, 9, "H", 0, 255, 1, 64),
        number("power-line-frequency", unit, 0x05, 10, "B", 0, 2, 1, 1),
        number("hue", unit, 0x06, 2, "h", -180, 180, 1, 0),
        number("saturation", unit, 0x07, 3, "H", 0, 128, 1, 64),
        number("sharpness", unit, 0x08, 4, "H", 0, 7, 1, 3),
        # In kelvins.
        number("white-balance", unit, 0x0a, 6, "H", 2800, 6500, 10, 4600, governor="white-balance-auto",
               automatic=(5200,)),
        number("white-balance-auto", unit, 0x0b, 12, "B", 0, 1, 1, 1),
    ]


def bits(entity):
    """bmControls of an entity, in three bytes."""
    return sum(1 << one.bit for one in all_controls() if one.entity == entity).to_bytes(3, "little")


class Controls:
    def __init__(self):
        self.all = all_controls()
        self.named = {one.name: one for one in self.all}
        self._last_reason = 0
        self._apply_automatic()

    def is_governed(self, control):
        """Whether an automatic mode sets this control at present."""
        if control.governor is None:
            return False
        governor = self.named[control.governor]
        return governor.current[0] != MANUAL_EXPOSURE if governor.is_bitmap else governor.current[0] == 1

    def request(self, code, entity, selector, data):
        """The answer to a request of the class; raises Stall."""
        if (entity, selector) == (0, 2) and code == GET_CUR:
            return bytes([self._last_reason])
        try:
            answer = self._request(code, entity, selector, data)
        except Stall as stall:
            self._last_reason = stall.reason
            raise
        self._last_reason = 0
        return answer

    def _request(self, code, entity, selector, data):
        if entity not in (CAMERA_TERMINAL, PROCESSING_UNIT):
            raise Stall(Stall.INVALID_UNIT)
        control = next((one for one in self.all if (one.entity, one.selector) == (entity, selector)), None)
        if control is None:
            raise Stall(Stall.INVALID_CONTROL)
        if code == SET_CUR:
            self._set(control, data)
            return b""
        if code == GET_LEN:
            return struct.pack("<H", control.packing.size)
        if code == GET_INFO:
            return bytes([self._info(control)])
        values = {
            GET_CUR: control.current, GET_MIN: control.minimum, GET_MAX: control.maximum,
            GET_RES: control.resolution, GET_DEF: control.default,
        }.get(code)
        if values is None:
            raise Stall(Stall.INVALID_REQUEST)
        return control.packing.pack(*values)

    def _info(self, control):
        info = CAN_GET | CAN_SET
        if control.governor:
            info |= UPDATES_ITSELF
        if self.is_governed(control):
            info |= IS_AUTOMATIC
        return info

    def _set(self, control, data):
        if len(data) != control.packing.size:
            raise Stall(Stall.INVALID_REQUEST)
        values = control.packing.unpack(data)
        if not control.accepts(values):
            raise Stall(Stall.OUT_OF_RANGE)
        if self.is_governed(control):
            raise Stall(Stall.WRONG_STATE)
        control.current = values
        self._apply_automatic()

    def _apply_automatic(self):
        """A control keeps the value of the automatic mode when that ends."""
        for control in self.all:
            if self.is_governed(control):
                control.current = control.automatic
