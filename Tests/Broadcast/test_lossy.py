# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves what becomes of a broadcast whose network loses packets and holds them up: see lossy.py, which runs in the
lab."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

import lossy
import whole_movie
from browser_tests import browser

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parent / "Lab/lab"
# The status of a system without such a kernel.
UNAVAILABLE = 3
# Boot, start and end; and how much slower than the camera a busy machine may let the guest be.
START, SLOWNESS = 120, 3


def plugins(folder):
    """GStreamer's list of its plugins, for the RTSP server: it takes the guest half a minute to look at them all."""
    variables = {"GST_REGISTRY": str(folder / "registry")}
    subprocess.run([sys.executable, "-c", "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; "
                    "Gst.init(None)"], env=os.environ | variables, check=True)
    return variables | {"GST_REGISTRY_UPDATE": "no"}


class LossyTest(unittest.TestCase):
    """One broadcast by RTMP, RTSP and SRT, in all weathers."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="obscura-lossy-")))
        variables = {"OBSCURA_TOOL": browser.tool(), "OBSCURA_TEST_LONG": int(lossy.IS_LONG), **plugins(cls.folder)}
        seconds = len(lossy.WEATHERS) * (lossy.BAD + lossy.BACK + lossy.UNDER_WAY + lossy.LOOK)
        words = [word for name, value in variables.items() for word in ("--env", f"{name}={value}")]
        command = [LAB, "run", "--vivid", "", "--timeout", str(START + SLOWNESS * seconds), "--out", cls.folder, *words,
                   "--", sys.executable, "-B", HERE / "lossy.py"]
        run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if run.returncode == UNAVAILABLE:
            raise unittest.SkipTest(run.stderr)
        if run.returncode:
            raise AssertionError(f"the lab ended with {run.returncode}:\n{run.stdout}{run.stderr}")
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
        self.assertEqual(self.movie, list(range(self.last["encodedFrames"])))
        self.assertGreaterEqual(len(self.movie), self.stopped)

    def test_the_camera_has_lost_none(self):
        camera = self.last["camera"]
        self.assertEqual((camera["lostFrames"], camera["droppedFrames"], self.last["lateFrames"]), (0, 0, 0))
        self.assertEqual(self.code, 130)

    def test_memory_is_flat(self):
        third = len(self.memory) // 3
        first, last = (statistics.median(part) for part in (self.memory[:third], self.memory[-third:]))
        self.assertLess(last - first, 8)

    def test_rtmp_comes_back(self):
        self.comes_back("rtmp-*.flv", is_tcp=True)

    @unittest.skipUnless(lossy.IS_LONG, "GStreamer's server takes the guest too long for the short form")
    def test_rtsp_comes_back(self):
        self.comes_back("rtsp.ts", is_tcp=True)

    def test_srt_comes_back(self):
        self.comes_back("srt.ts", is_tcp=False)

    def comes_back(self, files, is_tcp):
        """What arrived decodes, and all is there that was encoded from a moment after the network was good again until
        it was bad again."""
        arrived = [one for path in sorted(self.folder.glob(files)) for one in whole_movie.numbers(path, lossy.SIZE)]
        if is_tcp:
            self.assertNotIn(None, arrived)
        ends = [spell["begin"] for spell in self.spells[1:]] + [self.stopped]
        for weather, spell, end in zip(lossy.WEATHERS, self.spells, ends):
            with self.subTest(weather=weather):
                # What was encoded was told up to a second later.
                first = round(spell["end"] + (lossy.BACK + 1) * lossy.RATE)
                last = round(end - lossy.UNDER_WAY * lossy.RATE)
                self.assertGreater(last, first)
                self.assertEqual(sorted(set(range(first, last)).difference(arrived)), [])


if __name__ == "__main__":
    unittest.main()
