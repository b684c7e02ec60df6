# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that with limited resources a recorder or a server either works or reports the missing resource: it does not
crash or hang, and recorded files are complete."""

import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

import other_user
import processes
import side_by_side
import small_disk
import whole_movie
from obscura_server import ObscuraServer

PATTERN = "pattern:320x180@30"
# The minimum capacity of a pipe on Linux.
SMALLEST_PIPE = 4096

load_tests = side_by_side.load_tests


class RecorderTest(unittest.TestCase):
    """`obscura record` with limited resources."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-starved-")))
        self.movie = self.folder / "movie.mp4"

    def command(self, *options):
        return [processes.tool(), "record", PATTERN, "--microphone", "tone", "-o", self.movie, "--overwrite", *options]

    def expect_outcomes(self, limits, before):
        """For each limit it reports the missing resource, or records; the first limit fails and the last works."""
        codes = []
        for limit in limits:
            with self.subTest(limit=limit):
                self.movie.unlink(missing_ok=True)
                run = subprocess.run([*before(limit), *self.command("--duration", "1s")], capture_output=True, text=True,
                                     stdin=subprocess.DEVNULL, timeout=processes.PATIENCE)
                self.assertIn(run.returncode, (0, 1), run.stderr)
                codes.append(run.returncode)
                if run.returncode == 0:
                    # On a busy machine the recorder drops some frames and reports it.
                    frames = re.search(r"(\d+) frames", run.stderr)
                    self.assertEqual(len(whole_movie.numbers(self.movie, (320, 180))), int(frames[1]), run.stderr)
                    self.assertGreater(int(frames[1]), 0)
                else:
                    self.assertRegex(run.stderr, r"(?m)^obscura: .*\w.*\.$")
                    self.assertFalse(self.movie.exists())
        self.assertEqual((codes[0], codes[-1]), (1, 0))

    def test_few_files(self):
        self.expect_outcomes(range(4, 65, 6), lambda limit: ["prlimit", f"--nofile={limit}:{limit}"])

    def test_little_address_space(self):
        # With less, the loader cannot load the libraries.
        self.expect_outcomes([600, 900, 1000, 1024, 1200, 1600],
                             lambda limit: ["prlimit", f"--as={limit << 20}:{limit << 20}"])

    def test_few_threads(self):
        self.expect_outcomes([1, 2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 20, 24, 40],
                             lambda limit: other_user.few_threads(limit, self.folder))

    def test_a_pipe_that_nobody_reads(self):
        """A full pipe for its messages does not delay the recording: it completes the movie, and then waits for the reader."""
        # A line every five seconds; statistics every second.
        recorder = self.command("--duration", "6s"), "stderr"
        broadcaster = [processes.tool(), "broadcast", PATTERN, "--to", self.movie, "--overwrite", "--json", "--duration",
                       "3s"], "stdout"
        for command, stream in (recorder, broadcaster):
            with self.subTest(command=command), contextlib.ExitStack() as stack:
                reader, writer = os.pipe()
                stack.callback(os.close, reader)
                fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)
                os.write(writer, b"x" * SMALLEST_PIPE)
                with open(os.devnull, "wb") as nowhere:
                    process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                               **{"stdout": nowhere, "stderr": nowhere, stream: writer})
                os.close(writer)
                stack.callback(process.kill)
                processes.waiting.wait_until(self.movie.exists, "the movie")
                self.assertIsNone(process.poll(), "it wrote no message")
                self.assertTrue(whole_movie.has_pictures(self.movie))
                while os.read(reader, 1 << 16):
                    pass
                self.assertEqual(process.wait(processes.PATIENCE), 0)
                self.movie.unlink()


class SmallDiskTest(unittest.TestCase):
    """`obscura record --split` on a file system without space for copies of all parts: some stay fragmented, and the
    recording continues."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-starved-")))

    def film(self):
        """A film of 4 s with many bytes per second."""
        drawn, film = self.folder / "drawn.y4m", self.folder / "film.mp4"
        # Always 120 frames: a busy machine drops some, so that they take longer.
        subprocess.run([processes.tool(), "extract", "pattern:640x360@120", "--count", "120", "--format", "y4m",
                        "--quiet", "-o", drawn], check=True, timeout=processes.PATIENCE)
        # Noise cannot be compressed.
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-r", "30", "-i", drawn, "-vf", "noise=alls=30:allf=t",
                        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "1", film], check=True)
        return film

    def recorder(self, film, *options):
        return [processes.tool(), "record", film, "--codec", "mjpeg", "--quality", "1", *options]

    def expect_all_parts(self, disk, spare, minimum_free, *options):
        """Records with `spare` more bytes than the film and the minimum need. Returns the frame numbers of the film and
        of the recording."""
        film, whole = self.film(), self.folder / "whole.mp4"
        subprocess.run(self.recorder(film, "--quiet", "-o", whole), check=True, timeout=processes.PATIENCE)
        command = self.recorder(film, "--split", "1s", "--min-free", minimum_free, "-o", disk.path / "%03d.mp4", *options)
        run = subprocess.run(disk.command(whole.stat().st_size + minimum_free + spare, *command), capture_output=True,
                             text=True, stdin=subprocess.DEVNULL, timeout=processes.PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        parts = sorted(disk.files.iterdir())
        self.assertGreater(len(parts), 2)
        self.assertGreaterEqual(disk.free, minimum_free)
        self.assertEqual("in fragments" in run.stderr, any(map(whole_movie.is_fragmented, parts)), run.stderr)
        numbers = [number for part in parts for number in whole_movie.numbers(part)]
        self.assertEqual(len(numbers), int(re.search(r"(\d+) frames", run.stderr)[1]), run.stderr)
        return whole_movie.numbers(film), numbers

    def test_a_film_at_full_speed(self):
        film, recorded = self.expect_all_parts(small_disk.SmallDisk(self.folder), 2_000_000, 1_000_000)
        self.assertEqual(recorded, film)

    def test_a_slow_disk(self):
        """While it synchronizes a copy, the recording uses space that is free again when the original is deleted."""
        # The sound makes it as slow as a camera. On a busy machine it drops frames.
        disk = small_disk.SmallDisk(self.folder, is_slow=True)
        film, recorded = self.expect_all_parts(
            disk, 2_500_000, 8_000_000, "--microphone", "tone", "--duration", "4s")
        self.assertLessEqual(set(recorded), set(film))
        self.assertEqual(recorded, sorted(set(recorded)))


class AnyServerTest(unittest.TestCase):
    """Each server with limited resources: it ends when it should, without a crash, and the movie beside it is complete."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-starved-")))
        self.movie = self.folder / "movie.mp4"
        self.commands = {
            "hls": ["serve", PATTERN, "--hls", "127.0.0.1:0"],
            "rtsp": ["broadcast", PATTERN, "--to", f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"],
            "srt": ["broadcast", PATTERN, "--to", f"srt://127.0.0.1:{processes.free_port('udp')}?mode=listener"],
        }

    def expect_outcomes(self, limits, before):
        """For each limit it reports the missing resource, or works; the first limit fails and the last works."""
        for server in self.commands:
            codes = [self.outcome(server, limit, before(limit)) for limit in limits]
            self.assertEqual((codes[0], codes[-1]), (1, 0), server)

    def outcome(self, server, limit, before):
        for path in self.folder.iterdir():
            path.unlink()
        command = [processes.tool(), *self.commands[server], "--record", self.movie, "--json", "--duration", "1s"]
        with self.subTest(server=server, limit=limit):
            run = subprocess.run([*before, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                 timeout=processes.PATIENCE)
            self.assertIn(run.returncode, (0, 1), run.stderr)
            if run.returncode == 1:
                self.assertRegex(run.stderr, r"(?m)^obscura: .*\w.*\.$")
            if not self.movie.exists():
                self.assertEqual((run.returncode, list(self.folder.iterdir())), (1, []))
                return run.returncode
            # One server may fail while the movie continues.
            statistics = [line for line in map(json.loads, run.stdout.splitlines()) if line["event"] == "statistics"]
            self.assertEqual(len(whole_movie.numbers(self.movie, (320, 180))), statistics[-1]["encodedFrames"])
            return run.returncode
        return None

    def test_few_files(self):
        self.expect_outcomes([4, 16, 20, 24, 30, 40, 400], lambda limit: ["prlimit", f"--nofile={limit}:{limit}"])

    def test_little_address_space(self):
        # In MiB. Threads of many processors need the last one.
        self.expect_outcomes([900, 1024, 1100, 1200, 1400, 1600, 8192],
                             lambda limit: ["prlimit", f"--as={limit << 20}:{limit << 20}"])

    def test_few_threads(self):
        self.expect_outcomes([10, 17, 18, 20, 22, 24, 28, 30, 600],
                             lambda limit: other_user.few_threads(limit, self.folder))


class StudioTest(unittest.TestCase):
    """`obscura studio` with few files: it reports them, or serves until Ctrl-C."""

    def test_few_files(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-starved-")))
        codes = []
        for limit in (10, 19, 21, 23, 25, 28, 32, 400):
            with self.subTest(limit=limit):
                log = folder / f"{limit}"
                log.mkdir()
                command = ["prlimit", f"--nofile={limit}:{limit}", processes.tool(), "studio", PATTERN, "--port", "0",
                           "--no-open", "--library", folder / "library"]
                with processes.Program("studio", command, log) as studio:
                    processes.waiting.wait_until(
                        lambda: "The Studio is at" in studio.words or not studio.is_running, "the address, or the end")
                    code = studio.stop(signal.SIGINT, processes.PATIENCE)
                    self.assertIn(code, (0, 1), studio.words)
                    if code == 1:
                        self.assertIn("ulimit -n", studio.words)
                    codes.append(code)
        self.assertEqual((codes[0], codes[-1]), (1, 0))


class ServerTest(unittest.TestCase):
    """`obscura serve --hls` with limited resources."""

    def test_a_crowd_that_takes_all_files(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-starved-")))
        movie = folder / "movie.mp4"
        with ObscuraServer(options=["--record", movie], before=("prlimit", "--nofile=128:128")) as sender:
            sender.wait_for_event("statistics")
            address = urllib.parse.urlsplit(sender.url)
            with contextlib.ExitStack() as crowd:
                for _ in range(300):
                    # They connect and send nothing; those over the limit are closed, or wait to be accepted.
                    with contextlib.suppress(OSError):
                        crowd.enter_context(socket.create_connection((address.hostname, address.port), 1))
                before = sender.statistics["encodedFrames"]
                processes.waiting.wait_until(lambda: sender.statistics["encodedFrames"] > before, "more pictures")
            processes.waiting.wait_until(lambda: self.is_served(sender), "another client to be served")
            self.assertEqual(sender.stop(), 130)
            whole_movie.expect(self, movie, sender)

    def test_a_folder_that_is_deleted(self):
        """The broadcast continues in a new one, with later numbers and the same rights."""
        with ObscuraServer() as sender:
            processes.waiting.wait_until(lambda: self.is_served(sender), "the first list")
            newest = self.numbers(sender)[-1]
            # FFmpeg writes to the folder meanwhile.
            removed = sender.segments.rename(f"{sender.segments}-removed")
            shutil.rmtree(removed)
            numbers = processes.waiting.wait_until(
                lambda: [number for number in self.numbers(sender) if number > newest + 3], "later segments")
            self.assertEqual(numbers, sorted(numbers))
            self.assertEqual(sender.segments.stat().st_mode & 0o777, 0o700)
            self.assertEqual(sender.stop(), 130)

    def numbers(self, sender):
        """The numbers of the available segments; none without a playlist."""
        with contextlib.suppress(OSError), urllib.request.urlopen(sender.address("live-media.m3u8"), timeout=5) as answer:
            names = [line for line in answer.read().decode().splitlines() if line.endswith(".m4s")]
            return [int(name.removeprefix("live-").removesuffix(".m4s")) for name in names]
        return []

    def is_served(self, sender):
        return bool(self.numbers(sender))


if __name__ == "__main__":
    unittest.main()
