# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the emulated USB cameras of the lab without a kernel: descriptors, negotiation, controls, pictures, payloads."""

import pathlib
import struct
import subprocess
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/Lab/uvc"))
import cable  # noqa: E402
import camera  # noqa: E402
import commands  # noqa: E402
import controls  # noqa: E402
import descriptors  # noqa: E402
import formats  # noqa: E402
import jpeg  # noqa: E402
import pictures  # noqa: E402
import stream  # noqa: E402

SET, GET = controls.SET_CUR, controls.GET_CUR


class DescriptorsTest(unittest.TestCase):
    def setUp(self):
        self.descriptors = descriptors.Descriptors("Maker", "Camera ä", None)

    def test_the_configuration_is_a_chain_of_descriptors_of_the_given_length(self):
        data = self.descriptors.get(descriptors.CONFIGURATION, 0)
        self.assertEqual(struct.unpack_from("<H", data, 2)[0], len(data))
        kinds, at = [], 0
        while at < len(data):
            kinds.append(data[at + 1])
            at += data[at]
        self.assertEqual(at, len(data))
        self.assertEqual(kinds.count(descriptors.INTERFACE), 2)
        self.assertEqual(kinds.count(descriptors.ENDPOINT_TYPE), 1)

    def test_a_text_is_utf_16_and_one_that_is_not_given_has_no_descriptor(self):
        text = self.descriptors.get(descriptors.STRING, 2)
        self.assertEqual(text[2:].decode("utf-16-le"), "Camera ä")
        self.assertIsNone(self.descriptors.get(descriptors.STRING, 3))
        # Its index in the descriptor of the device.
        self.assertEqual(self.descriptors.get(descriptors.DEVICE, 0)[16], 0)
        self.assertIsNone(self.descriptors.get(0x0f, 0))


class ModeTest(unittest.TestCase):
    def nearest(self, format_index, frame_index, interval):
        request = struct.pack("<HBBI", 1, format_index, frame_index, interval).ljust(formats.Mode.LAYOUT.size, b"\0")
        return formats.Mode.nearest(request)

    def test_an_impossible_mode_becomes_the_nearest(self):
        self.assertEqual(self.nearest(0, 0, 0), formats.Mode(1, 1, 333_333))
        self.assertEqual(self.nearest(9, 99, 9_999_999), formats.Mode(2, 3, 1_000_000))
        self.assertEqual(self.nearest(1, 1, 700_000), formats.Mode(1, 1, 666_667))

    def test_a_continuous_range_takes_each_interval_within(self):
        for asked, given in ((500_000, 500_000), (1, 333_333), (9_999_999, 2_000_000)):
            self.assertEqual(self.nearest(2, 2, asked).interval, given)

    def test_the_answer_has_the_sizes_of_frame_and_payload(self):
        packed = formats.Mode(1, 2).packed()
        self.assertEqual(struct.unpack_from("<II", packed, 18), (160 * 120 * 2, 160 * 120 * 2 + 2))


class ControlsTest(unittest.TestCase):
    FOCUS = controls.CAMERA_TERMINAL, 0x06
    FOCUS_AUTO = controls.CAMERA_TERMINAL, 0x08
    EXPOSURE_MODE = controls.CAMERA_TERMINAL, 0x02
    BRIGHTNESS = controls.PROCESSING_UNIT, 0x02

    def setUp(self):
        self.controls = controls.Controls()

    def ask(self, code, which, data=b""):
        return self.controls.request(code, *which, data)

    def assert_stalls(self, reason, code, which, data=b""):
        with self.assertRaises(controls.Stall):
            self.ask(code, which, data)
        # The reason of the last stall can be asked for, more than once.
        for _ in range(2):
            self.assertEqual(self.controls.request(GET, 0, 2, b""), bytes([reason]))

    def test_all_attributes_are_answered_in_the_length_of_the_control(self):
        for one in self.controls.all:
            which = one.entity, one.selector
            length, = struct.unpack("<H", self.ask(controls.GET_LEN, which))
            for code in (GET, controls.GET_MIN, controls.GET_MAX, controls.GET_RES, controls.GET_DEF):
                self.assertEqual(len(self.ask(code, which)), length, one.name)
            self.assertTrue(one.accepts(one.default), one.name)

    def test_an_automatic_mode_keeps_its_control_and_leaves_its_value(self):
        self.assertTrue(self.ask(controls.GET_INFO, self.FOCUS)[0] & controls.IS_AUTOMATIC)
        self.assert_stalls(controls.Stall.WRONG_STATE, SET, self.FOCUS, struct.pack("<H", 100))
        self.ask(SET, self.FOCUS_AUTO, b"\0")
        self.assertFalse(self.ask(controls.GET_INFO, self.FOCUS)[0] & controls.IS_AUTOMATIC)
        self.assertEqual(self.ask(GET, self.FOCUS), struct.pack("<H", 35))
        self.ask(SET, self.FOCUS, struct.pack("<H", 100))
        self.assertEqual(self.ask(GET, self.FOCUS), struct.pack("<H", 100))
        self.ask(SET, self.FOCUS_AUTO, b"\1")
        self.assertEqual(self.ask(GET, self.FOCUS), struct.pack("<H", 35))

    def test_wrong_values_and_controls_stall_with_their_reasons(self):
        self.ask(SET, self.FOCUS_AUTO, b"\0")
        self.assert_stalls(controls.Stall.OUT_OF_RANGE, SET, self.FOCUS, struct.pack("<H", 251))
        self.assert_stalls(controls.Stall.OUT_OF_RANGE, SET, self.FOCUS, struct.pack("<H", 12))
        self.assert_stalls(controls.Stall.OUT_OF_RANGE, SET, self.EXPOSURE_MODE, b"\2")
        self.assert_stalls(controls.Stall.OUT_OF_RANGE, SET, self.EXPOSURE_MODE, b"\0")
        self.assert_stalls(controls.Stall.INVALID_REQUEST, SET, self.BRIGHTNESS, b"\0")
        self.assert_stalls(controls.Stall.INVALID_REQUEST, 0x99, self.BRIGHTNESS)
        self.assert_stalls(controls.Stall.INVALID_CONTROL, GET, (controls.PROCESSING_UNIT, 0x7f))
        self.assert_stalls(controls.Stall.INVALID_UNIT, GET, (9, 1))


class PicturesTest(unittest.TestCase):
    SIZES = sorted({(size.width, size.height) for one in formats.FORMATS for size in one.sizes})

    def read_number(self, luma, width, height):
        """As PatternScene.readSequence does."""
        row = height - height // 8 // 2 - 1
        blocks = pictures.BLOCKS
        places = [(index * width // blocks + (index + 1) * width // blocks) // 2 for index in range(blocks)]
        bits = [luma[row * width + place] > 127 for place in places]
        self.assertEqual(bits[:2], [True, False])
        self.assertEqual(sum(bits[2:34]) % 2 == 1, bits[34])
        number = 0
        for bit in bits[2:34]:
            number = number << 1 | number & 1 ^ bit
        return number

    def test_the_number_can_be_read_from_each_size(self):
        for width, height in self.SIZES:
            for number in (0, 1, 12345, (1 << 32) - 1):
                data = pictures.yuy2(width, height, number)
                self.assertEqual(len(data), 2 * width * height)
                self.assertEqual(self.read_number(data[::2], width, height), number)

    def test_jpeg_is_what_another_decoder_reads(self):
        for width, height in self.SIZES:
            for color in (None, (255, 0, 0)):
                done = subprocess.run(
                    ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-"],
                    input=jpeg.jpeg(width, height, 54321, color), capture_output=True, check=True)
                self.assertEqual(done.stderr, b"")
                # 4:2:2, in planes.
                self.assertEqual(len(done.stdout), 2 * width * height)
                self.assertEqual(self.read_number(done.stdout, width, height), 54321)
                expected = pictures.full_range(color or pictures.WHITE)
                found = done.stdout[0], done.stdout[width * height], done.stdout[width * height * 3 // 2]
                self.assertTrue(all(abs(one - other) <= 1 for one, other in zip(found, expected)), found)


class StreamTest(unittest.TestCase):
    def setUp(self):
        self.answers = []
        self.stream = stream.Stream(lambda transfer, data, status: self.answers.append((transfer, data, status)))

    def commit(self, format_index=1, frame_index=2):
        mode = formats.Mode(format_index, frame_index)
        self.stream.request(SET, stream.COMMIT, mode.packed(), now=100)
        return mode

    def submit(self, count, length=16384):
        for sequence in range(count):
            self.stream.submit(cable.Transfer(sequence, True, descriptors.ENDPOINT, length, b""))

    def payload(self):
        """The bytes that were answered since the last call."""
        data = b"".join(answer[1] for answer in self.answers)
        self.answers.clear()
        return data

    def test_a_frame_is_cut_into_transfers_at_its_time(self):
        mode = self.commit()
        self.submit(10)
        self.assertEqual(self.answers, [])
        self.stream.tick(100)
        self.assertEqual([len(answer[1]) for answer in self.answers], [16384, 16384, 5634])
        payload = self.payload()
        self.assertEqual(payload[0], formats.HEADER_LENGTH)
        self.assertEqual(payload[2:], pictures.yuy2(mode.size.width, mode.size.height, 1))
        self.assertAlmostEqual(self.stream.due, 100 + 1 / 30, places=5)
        self.stream.tick(self.stream.due)
        second = self.payload()
        self.assertEqual((payload[1] ^ second[1]) & stream.FRAME_ID, stream.FRAME_ID)

    def test_a_compressed_frame_that_fills_its_last_transfer_ends_with_an_empty_one(self):
        self.commit(2, 1)
        length = len(jpeg.jpeg(320, 180, 1)) + formats.HEADER_LENGTH
        self.submit(2, length)
        self.stream.tick(100)
        self.assertEqual([len(answer[1]) for answer in self.answers], [length, 0])

    def test_frames_that_the_host_does_not_take_or_that_are_late_are_counted(self):
        self.commit()
        self.stream.tick(100)
        self.stream.tick(self.stream.due)
        self.assertEqual((self.stream.skipped_count, self.stream.number), (1, 2))
        self.stream.tick(self.stream.due + 2.5 / 30)
        self.assertEqual((self.stream.skipped_count, self.stream.number), (4, 5))

    def test_faults_are_those_that_were_asked_for(self):
        self.commit()
        self.stream.tick(100)
        self.submit(4)
        good = self.payload()
        flags = {}
        for kind in stream.CORRUPTIONS:
            self.stream.corrupt(kind, 1)
            before = self.stream._frame_id
            self.submit(4)
            self.stream.tick(self.stream.due)
            data = self.payload()
            flags[kind] = (len(data), bool(data[1] & stream.FAULT), bool(data[1] & stream.END_OF_FRAME),
                           data[1] & stream.FRAME_ID != before)
        whole = len(good)
        self.assertEqual(flags, {
            "fault": (whole, True, True, True), "half": (whole // 2 + 1, False, True, True),
            "same-id": (whole, False, True, False), "no-end": (whole, False, False, True),
            "empty": (2, False, True, True), "noise": (whole, False, True, True),
        })

    def test_a_halted_endpoint_stalls_all_transfers_until_it_is_cleared(self):
        self.commit()
        self.submit(2)
        self.stream.halt()
        self.submit(1)
        self.assertEqual([answer[2] for answer in self.answers], [cable.STALLED] * 3)
        self.answers.clear()
        self.stream.clear_halt()
        self.assertFalse(self.stream.is_running)
        self.commit()
        self.submit(4)
        self.stream.tick(100)
        self.assertTrue(self.payload())

    def test_a_withdrawn_transfer_is_not_answered(self):
        self.commit()
        self.submit(1)
        self.assertTrue(self.stream.withdraw(0))
        self.assertFalse(self.stream.withdraw(0))
        self.stream.tick(100)
        self.assertEqual(self.answers, [])


class CommandsTest(unittest.TestCase):
    class Server:
        def __init__(self):
            self.cameras = [camera.Camera(0)]

    def test_wrong_commands_are_said_and_right_ones_are_not(self):
        run = commands.Commands(self.Server()).run
        for line in ("", "color", "color -1 red", "color 1 red", "fly 0", "color x red", "run 0", "corrupt 0",
                     "corrupt 0 kind 1", "corrupt 0 half x", "color 0 pink", "rate 0 fast", "value 0 iris", "drop 0"):
            self.assertTrue(run(line).startswith("error: "), line)
        for line in ("color 0 red", "corrupt 0 half 2", "rate 0 7.5", "freeze 0", "thaw 0", "drop 0 1"):
            self.assertEqual(run(line), "ok", line)
        self.assertEqual(run("value 0 pan-tilt"), "ok 0,0")

    def test_each_command_is_described(self):
        names = {name.removeprefix("do_") for name in dir(commands.Commands) if name.startswith("do_")}
        described = {line.split()[0] for line in commands.DESCRIPTION.splitlines() if line.startswith("  ")}
        self.assertEqual(names, described)


if __name__ == "__main__":
    unittest.main()
