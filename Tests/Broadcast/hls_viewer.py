# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""HLS in Chromium: with the test player (player/), with the browser's own player, or on Obscura's page."""

import contextlib
import pathlib
import urllib.parse

import farend
from browser_tests import browser, page

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAYER = pathlib.Path(__file__).resolve().with_name("player").relative_to(ROOT) / "player.html"


class Viewer:
    """A page that plays a playlist."""

    def __init__(self, driver, address):
        self.page = page.Page(driver, None)
        self.address = address

    def open(self, playlist, is_native=False):
        query = urllib.parse.urlencode({"playlist": playlist, **({"native": ""} if is_native else {})})
        self.page.driver.get(f"{self.address}/{PLAYER.as_posix()}?{query}")

    def open_served(self, address):
        """Opens the page of `obscura serve`."""
        self.page.driver.get(address)

    @property
    def state(self):
        """The state of the player and of the video element."""
        return self.page.script("const video = document.querySelector('video');"
                                "const {totalVideoFrames, droppedVideoFrames} = video.getVideoPlaybackQuality();"
                                "return {...globalThis.player?.state, ...document.body.dataset,"
                                " number: video.readyState < 2 ? null : reading.number(video),"
                                " ranges: video.buffered.length, rate: video.playbackRate,"
                                " readyState: video.readyState, time: video.currentTime,"
                                " size: [video.videoWidth, video.videoHeight], shown: totalVideoFrames,"
                                " dropped: droppedVideoFrames}")

    def number(self):
        """The number on the screen; None before the first frame."""
        return self.page.script("const video = document.querySelector('video');"
                                "return video.readyState < 2 ? null : reading.number(video)")

    def wait_for_number(self, number=0):
        """Waits for a frame with this number or a higher one."""

        def look():
            shown = self.number()
            return None if shown is None or shown < number else [shown]

        try:
            return self.page.wait(look, f"number {number} in the page")[0]
        except AssertionError as error:
            error.add_note(f"--- the player: {self.state}")
            raise

    def count_jumps(self):
        """Starts counting seeks of the playback in `jumps`."""
        self.page.script("globalThis.jumps = 0;"
                         "document.querySelector('video').addEventListener('seeking', () => { jumps += 1; })")

    @property
    def jumps(self):
        return self.page.script("return jumps")

    def watch(self, count):
        """The next frames that animation frames show, this number of them. A busy browser skips frames: `farend.Watch`
        checks that all have arrived."""
        self.page.driver.set_script_timeout(count / 10 + browser.PATIENCE)
        seen = self.page.see(["video"], count)
        clock = self.page.clock()
        return [farend.Seen(number, round(clock + now * 1e6), False) for _, number, _, now in seen]


@contextlib.contextmanager
def opened():
    """A browser whose page has another origin than the stream. The player parses playlists with the code of Obscura's
    own page."""
    with browser.served(ROOT) as address, browser.chromium() as driver:
        yield Viewer(driver, address)
