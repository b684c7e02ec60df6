# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The Studio's page from a user's view: the tests click its buttons and read its canvases."""

import base64
import pathlib
import statistics
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser
import studio

READING = (pathlib.Path(__file__).parent / "reading.js").read_text(encoding="utf-8")
SCREENSHOTS = browser.ROOT / ".build/screenshots"
VIEWFINDER = "#viewfinder-canvas"
# The sizes of a page, in pixels. In the first the viewfinder shows 1280x720 unscaled; in the second, which needs less
# CPU time, the size of the tests' camera.
LARGE = (2000, 1300)
DESKTOP = (1280, 800)
PHONE = (390, 844)


class Page:
    """One tab."""

    def __init__(self, driver, server, size=LARGE):
        self.driver, self.server = driver, server
        self.add_script(READING)
        self.resize(*size)

    def add_script(self, source):
        """Runs the script in each document from now on."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, path="/"):
        """Opens a page with the token in its address."""
        mark = "&" if "?" in path else "?"
        # An address with the token leads to the page without a query; another query needs a second request.
        self.driver.get(f"{self.server.origin}{path.split('?')[0]}?token={self.server.token}")
        # The response sets the cookie and is a page that refreshes automatically, which may still be loading.
        self.wait(lambda: self.script("return document.readyState === 'complete' && !location.search.includes('token=')"),
                  "the page without the token in its address")
        if mark == "&":
            self.driver.get(f"{self.server.origin}{path}")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def awaited(self, text, *arguments):
        """The value of a promise of the page; raises if it is rejected."""
        value = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async (...given) => {{ {text} }})(...arguments)"
            ".then((value) => done([value]), (error) => done(`${error}`));",
            *arguments)
        if not isinstance(value, list):
            raise AssertionError(f"the page failed: {value}")
        return value[0]

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, selector):
        """Clicks the first element that can be clicked, after scrolling to it."""
        element = self.wait(
            lambda: next((one for one in self.all(selector) if one.is_displayed() and one.is_enabled()), None),
            f"{selector} to press")
        self.script("arguments[0].scrollIntoView({block: 'center', inline: 'nearest'})", element)
        element.click()

    def toggle(self, selector, is_on):
        """Clicks a toggle button, and waits until the page shows its new state.

        The page shows some changes before the Studio has applied them: also wait for the server.
        """
        self.press(selector)
        self.wait(lambda: self.find(selector).get_attribute("aria-pressed") == ("true" if is_on else "false"),
                  f"{selector} that is {'on' if is_on else 'off'}")

    def choose(self, selector, value):
        """Chooses an option, with the events of a user's choice."""
        self.script(
            "const select = document.querySelector(arguments[0]); select.value = arguments[1];"
            "if (select.value !== arguments[1]) throw new Error(`no option ${arguments[1]}`);"
            "select.dispatchEvent(new Event('input', {bubbles: true}));"
            "select.dispatchEvent(new Event('change', {bubbles: true}))", selector, value)

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def escape(self):
        self.keys(Keys.ESCAPE)

    @staticmethod
    def wait(condition, what, timeout=browser.PATIENCE):
        return studio.wait_until(condition, what, timeout)

    def wait_for_toast(self, words, what):
        """Waits until one of the notices contains the words."""
        self.wait(lambda: any(words in one.text for one in self.all("#toasts")), what)

    # MARK: Pictures

    def wait_for_images(self, selector, what="pictures"):
        """Waits until all of these images are loaded: one that is deleted before is an error in the console."""
        self.wait(
            lambda: self.script(
                "return [...document.querySelectorAll(arguments[0])]"
                ".every((image) => image.complete && image.naturalWidth > 0)", selector), what)

    def number(self, selector=VIEWFINDER, **how):
        """The number that the canvas shows; None if it cannot be read."""
        return self.script("return reading.number(document.querySelector(arguments[0]), arguments[1])", selector, how)

    def pose(self, selector=VIEWFINDER):
        return self.script("return reading.pose(document.querySelector(arguments[0]))", selector)

    def colours(self, places, selector=VIEWFINDER):
        return self.script("return reading.colours(document.querySelector(arguments[0]), arguments[1])", selector,
                           places)

    def size(self, selector=VIEWFINDER):
        return tuple(
            self.script("const {width, height} = document.querySelector(arguments[0]); return [width, height]",
                        selector))

    def photo(self, name, suffix=""):
        """The size, number and pose of a photo of the library."""
        return self.awaited(
            "const canvas = await reading.fetched(given[0]);"
            "return {size: [canvas.width, canvas.height], number: reading.number(canvas), pose: reading.pose(canvas)}",
            f"/media/{name}{suffix}")

    def wait_for_picture(self, selector=VIEWFINDER, **how):
        """The first number that the canvas shows."""
        return self.later_number(-1, selector, **how)

    def later_number(self, before, selector=VIEWFINDER, **how):
        """The first number above `before` that the canvas shows."""

        def look():
            number = self.number(selector, **how)
            return None if number is None or number <= before else [number]

        return self.wait(look, f"a picture after number {before} in {selector}")[0]

    def wait_for_motion(self, selector=VIEWFINDER, frames=3):
        """Waits until the canvas has shown this many other numbers; returns the last. They may be of another camera."""
        number = self.wait_for_picture(selector)
        for _ in range(frames):

            def look(before=number):
                shown = self.number(selector)
                return None if shown in (None, before) else [shown]

            number = self.wait(look, f"a picture after number {number} in {selector}")[0]
        return number

    def watch(self, selectors, seconds):
        """The numbers that the sources showed in this time, with their times; see `observe` in reading.js."""
        return self.driver.execute_async_script(
            "const [selectors, milliseconds, done] = arguments;"
            "reading.watch(selectors.flatMap((one) => [...document.querySelectorAll(one)]), milliseconds, done)",
            selectors, int(seconds * 1000))

    def see(self, selectors, count):
        """Same as `watch`, until each source has shown this number of frames."""
        return self.driver.execute_async_script(
            "const [selectors, count, done] = arguments;"
            "reading.see(selectors.flatMap((one) => [...document.querySelectorAll(one)]), count, done)",
            selectors, count)

    def frames(self, selector=VIEWFINDER):
        """Number of pictures that the tile has drawn."""
        return self.script("return Number(document.querySelector(arguments[0]).dataset.frames ?? 0)", selector)

    # MARK: Time

    def clock(self):
        """The zero of the page's clock in nanoseconds of CLOCK_MONOTONIC. For measurements; no test depends on it.

        The page read its clock between the start and the end of a round trip; the shortest of several round trips is
        the most exact. Chromium's own value is more precise, and is used if it is within the round trip.
        """
        bounds = []
        for _ in range(40):
            before = time.monotonic_ns()
            now = self.script("return performance.now()")
            bounds.append((time.monotonic_ns() - before, before, now))
        length, before, now = min(bounds)
        earliest = before - now * 1e6
        self.driver.execute_cdp_cmd("Performance.enable", {})
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        told = {metric["name"]: metric["value"] for metric in metrics}.get("NavigationStart", 0) * 1e9
        return told if earliest - 1e6 <= told <= earliest + length + 1e6 else earliest + length / 2

    # MARK: Appearance

    def theme(self, scheme):
        """light or dark."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def troubles(self):
        """The errors in the console since the last call. A page without an icon is not one."""
        return [entry for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "/favicon.ico " not in entry["message"]]


def delays(seen, clock):
    """The age of each picture when it was seen, in milliseconds: {source: [delay, …]}."""
    found = {}
    for source, _, host_time, now in seen:
        found.setdefault(source, []).append((clock + now * 1e6 - int(host_time)) / 1e6)
    return found


def percentiles(values):
    """Median and 95th percentile."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
