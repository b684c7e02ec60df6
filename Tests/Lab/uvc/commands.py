# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The commands by which tests control the cameras.

A command is a line; so is the answer, which begins with `ok` or `error`.
"""

import pictures
import stream

DESCRIPTION = f"""\
commands (CAMERA is its number, from 0):
  plug CAMERA [KEY=TEXT ...]   connect it; KEY is manufacturer, product or serial; an empty TEXT is no such descriptor
  unplug CAMERA                disconnect it
  color CAMERA NAME            {', '.join(pictures.COLORS)}
  rate CAMERA RATE             frames per second from now on; 0 for the agreed rate
  freeze CAMERA                send no frames
  thaw CAMERA                  send them again
  halt CAMERA                  halt the endpoint, until the driver starts the stream again
  drop CAMERA COUNT            leave out frames
  corrupt CAMERA KIND COUNT    damage frames: {', '.join(stream.CORRUPTIONS)}
  value CAMERA CONTROL         print the value that the camera has
  status CAMERA                print its state
plug and unplug are answered when the driver has made or removed the nodes.
"""


class Mistake(Exception):
    """A wrong command."""


class Pending:
    """An answer that is given when the condition holds."""

    def __init__(self, is_done, text="ok"):
        self.is_done = is_done
        self.text = text


class Commands:
    """A method for each command; it returns what follows `ok`, None, or a pending answer."""

    def __init__(self, server):
        self._server = server

    def run(self, line):
        """The answer, or a pending one."""
        name, *arguments = line.split(" ")
        try:
            method = getattr(self, f"do_{name}", None)
            if method is None:
                raise Mistake("unknown command")
            answer = method(self._camera(*arguments[:1]), *arguments[1:])
        except (KeyError, TypeError, ValueError, Mistake) as error:
            return f"error: {line!r}: {error}"
        return answer if isinstance(answer, Pending) else f"ok {answer or ''}".rstrip()

    def _camera(self, number):
        if not number.isdecimal() or int(number) >= len(self._server.cameras):
            raise Mistake("there is no such camera")
        return self._server.cameras[int(number)]

    def do_plug(self, camera, *texts):
        if camera.cable.is_plugged:
            raise Mistake("it is plugged")
        if not camera.cable.is_free:
            raise Mistake("the driver still has it")
        for text in texts:
            key, is_given, value = text.partition("=")
            if key not in ("manufacturer", "product", "serial") or not is_given:
                raise Mistake(f"unknown description {text!r}")
            setattr(camera, key, value or None)
        self._server.plug(camera)
        return Pending(lambda: camera.cable.nodes)

    def do_unplug(self, camera):
        self._server.unplug(camera)
        return Pending(lambda: camera.cable.is_free)

    def do_color(self, camera, name):
        camera.stream.color = pictures.COLORS[name]

    def do_rate(self, camera, rate):
        camera.stream.rate = float(rate)

    def do_freeze(self, camera):
        camera.stream.is_frozen = True

    def do_thaw(self, camera):
        camera.stream.is_frozen = False

    def do_halt(self, camera):
        camera.stream.halt()

    def do_drop(self, camera, count):
        camera.stream.drop(int(count))

    def do_corrupt(self, camera, kind, count):
        if kind not in stream.CORRUPTIONS:
            raise Mistake(f"unknown kind {kind!r}")
        camera.stream.corrupt(kind, int(count))

    def do_value(self, camera, name):
        return ",".join(map(str, camera.controls.named[name].current))

    def do_status(self, camera):
        return f"plugged={camera.cable.is_plugged} nodes={','.join(camera.cable.nodes)} {camera.stream.state}"
