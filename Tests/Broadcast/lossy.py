# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A broadcast over a network that loses packets, in the lab, whose kernel can simulate one. Decoding is too slow there:
test_lossy.py checks the files in $OBSCURA_LAB_OUT."""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

import network
import processes
import servers
import udp_recorder
from obscura_sender import ObscuraSender

# Small enough for an emulated processor.
SIZE, RATE = (320, 180), 10
# The time in which SRT retransmits lost packets, in milliseconds: a third of the packets is lost, repeatedly, and each
# retransmission is up to 400 ms late.
LATENCY = 2000
# The interval of memory measurements, in seconds.
INTERVAL = 0.5
# The time limit of operations, in seconds: a busy host slows its guest down.
PATIENCE = 120
# Conditions are polled rarely: the guest is slow.
processes.INTERVAL = 0.25

# The maximum queue of a destination that is back, in seconds of the stream.
BACKLOG = 0.5
# Seconds that may still be in transit when the network gets bad again, and the checked seconds before them.
UNDER_WAY, LOOK = LATENCY / 1000 + 1, 2


@dataclasses.dataclass(frozen=True)
class Weather:
    """The impairment of the network: see `Network.impair`."""

    loss: int
    jitter: int = 0
    distribution: str | None = None


IS_LONG = os.environ.get("OBSCURA_TEST_LONG") == "1"
# The duration of each, in seconds.
if IS_LONG:
    WEATHERS = [Weather(loss, *jitter) for loss in (1, 5, 30) for jitter in ((), (200, ), (200, "normal"))]
    BAD = 30
else:
    WEATHERS = [Weather(5), Weather(30, 200)]
    BAD = 6


class RecordingRTMPServer(servers.RTMPServer):
    """Records each connection to a file."""

    def command(self):
        command = super().command()
        configuration = pathlib.Path(command[-1])
        text = configuration.read_text(encoding="utf-8")
        record = f"live on; record all; record_path {self.folder}; record_unique on;"
        configuration.write_text(text.replace("live on;", record), encoding="utf-8")
        return command


class Memory:
    """The private memory of a process in MiB, measured periodically until its context ends."""

    def __init__(self, process):
        self.process, self.seen = process, []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._ending.wait(INTERVAL):
            self.seen.append(resident(self.process))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ending.set()
        self._thread.join()


def resident(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon:"))


def broadcast(folder, net):
    """The results of a broadcast with all impairments."""
    place = {"host": network.FAR, "namespace": net.far}
    with contextlib.ExitStack() as stack:
        rtmp = stack.enter_context(RecordingRTMPServer(**place))
        srt = stack.enter_context(servers.SRTListener(latency=LATENCY, **place))
        addresses = [rtmp.url, f"srt://{network.FAR}:{srt.port}?latency={LATENCY}"]
        files = {srt.target: folder / "srt.ts"}
        if IS_LONG:
            rtsp = stack.enter_context(servers.RTSPServer(has_audio=False, **place))
            addresses.append(rtsp.url)
            files[rtsp.picture_port] = folder / "rtsp.ts"
        stack.enter_context(udp_recorder.UDPRecorder(network.FAR, files, folder, net.far))
        options = ["--microphone", "none", "--record", folder / "movie.mp4"]
        sender = stack.enter_context(
            ObscuraSender(*addresses, size=SIZE, rate=RATE, options=options, namespace=net.near))
        # Including the movie.
        sender.program.wait_until(
            lambda: len(sender.events("connected")) > len(addresses), "a connection to each", PATIENCE)
        with Memory(sender.program.process.pid) as memory:
            wait(sender, LOOK)
            spells = [endure(net, sender, weather) for weather in WEATHERS]
        stopped = encoded(sender)
        code = sender.stop()
        rtmp.stop()
        for number, path in enumerate(sorted(pathlib.Path(rtmp.folder).glob("*.flv"))):
            shutil.move(path, folder / f"rtmp-{number}.flv")
    return {"spells": spells, "memory": memory.seen, "stopped": stopped, "code": code, "lines": sender.lines}


def endure(net, sender, weather):
    """The numbers of frames encoded before, after and when all destinations were back, and of lost packets."""
    begin = encoded(sender)
    net.impair(**dataclasses.asdict(weather))
    wait(sender, BAD)
    lost, end = net.lost, encoded(sender)
    net.release()
    before = len(sender.events("statistics"))
    # In two consecutive statistics that begin after the end of the impairment.
    sender.program.wait_until(lambda: is_back(sender.events("statistics")[before + 1:]), "all destinations", PATIENCE)
    back = encoded(sender)
    wait(sender, UNDER_WAY + LOOK)
    return {"begin": begin, "end": end, "back": back, "lost": lost}


def is_back(statistics):
    """Whether all destinations accept data, by the last two statistics."""
    newest = [one for event in statistics[-2:] for one in event["destinations"]]
    return len(statistics) >= 2 and all(one["state"] == "sending" and one["queue"] < BACKLOG for one in newest)


def wait(sender, seconds):
    """Waits until this duration was encoded."""
    wanted = encoded(sender) + seconds * RATE
    sender.program.wait_until(lambda: encoded(sender) >= wanted, f"{wanted} pictures", 2 * seconds + PATIENCE)


def encoded(sender):
    """The number of encoded frames, at most a second old."""
    return sender.statistics["encodedFrames"] if sender.statistics else 0


def main():
    subprocess.run(["modprobe", "--all", "veth", "sch_netem"], check=True)
    with tempfile.TemporaryDirectory() as folder, network.Network() as net:
        folder = pathlib.Path(folder)
        facts = broadcast(folder, net)
        (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
        shutil.copytree(folder, os.environ["OBSCURA_LAB_OUT"], dirs_exist_ok=True)


if __name__ == "__main__":
    main()
