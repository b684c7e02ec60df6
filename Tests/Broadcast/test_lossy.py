# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests a broadcast whose network loses and delays packets: see lossy.py, which runs in the lab."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

import lab_guest
import lossy
import processes
import whole_movie

HERE = pathlib.Path(__file__).resolve().parent


def plugins(folder):
    """Makes GStreamer's plugin registry for the RTSP server: the guest would need half a minute for it."""
    variables = {"GST_REGISTRY": str(folder / "registry")}
    subprocess.run([sys.executable, "-c", "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; "
                    "Gst.init(None)"], env=os.environ | variables, check=True)
    return variables | {"GST_REGISTRY_UPDATE": "no"}


class LossyTest(unittest.TestCase):
    """One broadcast by RTMP, RTSP and SRT, with all impairments."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="obscura-lossy-")))
        variables = {"OBSCURA_TOOL": processes.tool(), "OBSCURA_TEST_LONG": int(lossy.IS_LONG)}
        if lossy.IS_LONG:
            variables |= plugins(cls.folder)
        seconds = len(lossy.WEATHERS) * (lossy.BAD + lossy.PATIENCE + lossy.UNDER_WAY + lossy.LOOK)
        words = [word for name, value in variables.items() for word in ("--env", f"{name}={value}")]
        lab_guest.run([sys.executable, "-B", HERE / "lossy.py"], seconds, "--out", cls.folder, *words)
        facts = json.loads((cls.folder / "facts.json").read_text(encoding="utf-8"))
        cls.spells, cls.memory = facts["spells"], facts["memory"]
        cls.stopped, cls.code = facts["stopped"], facts["code"]
        cls.last = [line for line in facts["lines"] if line["event"] == "statistics"][-1]
        cls.movie = whole_movie.numbers(cls.folder / "movie.mp4", lossy.SIZE)

    def test_the_network_was_bad(self):
        self.assertEqual(len(self.spells), len(lossy.WEATHERS))
        for spell in self.spells:
            self.assertGreater(spell["lost"], 0)

    def test_the_movie_beside_it_has_every_picture(self):
        self.assertEqual(len(self.movie), self.last["encodedFrames"])
        self.assertNotIn(None, self.movie)
        self.assertEqual(sorted(set(self.movie)), self.movie)
        self.assertGreaterEqual(len(self.movie), self.stopped)
        # On a busy machine the camera, the broadcast and the encoder drop some frames, and count them.
        camera = self.last["camera"]
        left_out = camera["lostFrames"] + camera["droppedFrames"] + self.last["lateFrames"]
        self.assertLessEqual(self.movie[-1] - self.movie[0] + 1 - len(self.movie), left_out)

    def test_it_ends_by_an_interrupt(self):
        self.assertEqual(self.code, 130)
        self.assertEqual({one["state"] for one in self.last["destinations"]}, {"ended"})

    def test_memory_is_flat(self):
        third = len(self.memory) // 3
        first, last = (statistics.median(part) for part in (self.memory[:third], self.memory[-third:]))
        self.assertLess(last - first, 8)

    def test_rtmp_comes_back(self):
        self.comes_back("rtmp-*.flv", is_tcp=True)

    @unittest.skipUnless(lossy.IS_LONG, "GStreamer's server is too slow in the guest for the short form")
    def test_rtsp_comes_back(self):
        self.comes_back("rtsp.ts", is_tcp=True)

    def test_srt_comes_back(self):
        self.comes_back("srt.ts", is_tcp=False)

    def comes_back(self, files, is_tcp):
        """The received stream can be decoded. It has all frames that were encoded after the destination was back and
        before the network got bad again."""
        # In a bad network a connection may end before its first frame.
        paths = [path for path in sorted(self.folder.glob(files)) if whole_movie.has_pictures(path)]
        arrived = [one for path in paths for one in whole_movie.numbers(path, lossy.SIZE)]
        if is_tcp:
            self.assertNotIn(None, arrived)
        ends = [spell["begin"] for spell in self.spells[1:]] + [self.stopped]
        for weather, spell, end in zip(lossy.WEATHERS, self.spells, ends):
            with self.subTest(weather=weather):
                # Statistics are up to a second old.
                first = spell["back"] + lossy.RATE
                last = round(end - lossy.UNDER_WAY * lossy.RATE)
                self.assertGreater(last, first)
                self.assertEqual(sorted(set(self.movie[first:last]).difference(arrived)), [])


if __name__ == "__main__":
    unittest.main()
