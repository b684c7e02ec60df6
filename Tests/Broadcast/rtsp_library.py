# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The shared library ObscuraRTSPServer without its sender: a test sends packets of any time. The declarations are those
of Sources/CRTSPServer/CRTSPServer.h."""

import ctypes
import pathlib

import processes

INTERFACE = 1
SECOND = 1_000_000_000
# The frame rate.
RATE = 30
# The length of a viewer's queue, in seconds.
QUEUE = 2
# Parameter sets (only their first bytes are read), and a slice as its first byte.
SETS = bytes.fromhex("00000001 6742c01e d900a02f 00000001 68ce3c80")
KEY, OTHER = bytes.fromhex("00000001 65"), bytes.fromhex("00000001 41")


class Settings(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_char_p), ("port", ctypes.c_uint16), ("path", ctypes.c_char_p), ("user", ctypes.c_char_p),
        ("password", ctypes.c_char_p), ("has_pictures", ctypes.c_bool), ("is_hevc", ctypes.c_bool),
        ("sample_rate", ctypes.c_int32), ("channels", ctypes.c_int32), ("sound_configuration", ctypes.c_char_p),
        ("sound_configuration_size", ctypes.c_size_t), ("most_clients", ctypes.c_int32),
        ("patience_ms", ctypes.c_int32), ("queue_limit_ms", ctypes.c_int32)]


class Packet(ctypes.Structure):
    _fields_ = [
        ("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t), ("is_picture", ctypes.c_bool), ("is_key", ctypes.c_bool),
        ("time", ctypes.c_int64), ("duration", ctypes.c_int64)]


class Functions(ctypes.Structure):
    _fields_ = [
        ("interface", ctypes.c_int32),
        ("open", ctypes.CFUNCTYPE(
            ctypes.c_void_p, ctypes.POINTER(Settings), ctypes.POINTER(ctypes.c_int), ctypes.c_char_p)),
        ("send", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(Packet))),
        ("viewers", ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)),
        ("take_key_frame_wish", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)),
        ("close", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class Library:
    """A server for H.264 without sound; its frames are numbered, and `number / RATE` is the time of one in seconds."""

    def __init__(self):
        path = pathlib.Path(processes.tool()).parent / "libObscuraRTSPServer.so"
        get = ctypes.CDLL(str(path)).obscura_rtsp_functions
        get.restype = ctypes.POINTER(Functions)
        self._functions = get().contents
        if self._functions.interface != INTERFACE:
            raise AssertionError(f"interface {self._functions.interface} of the library; known is {INTERFACE}")
        self.port = processes.free_port()
        self.url = f"rtsp://127.0.0.1:{self.port}/live"

    def __enter__(self):
        settings = Settings(
            address=b"127.0.0.1", port=self.port, path=b"/live", has_pictures=True, most_clients=8, patience_ms=60000,
            queue_limit_ms=QUEUE * 1000)
        failure, words = ctypes.c_int(), ctypes.create_string_buffer(512)
        self._server = self._functions.open(settings, failure, words)
        if not self._server:
            raise AssertionError(f"not opened: {failure.value} {words.value}")
        return self

    def __exit__(self, *_):
        self._functions.close(self._server)

    def takes_wish(self):
        """Whether a new viewer waits for a key frame since the last call."""
        return self._functions.take_key_frame_wish(self._server)

    def send(self, *numbers, key=None):
        """Sends frames immediately after each other; the one with the number `key` is a key frame."""
        packets = [_packet(number, number == key) for number in numbers]
        for packet in packets:
            assert self._functions.send(self._server, packet)


def _packet(number, is_key):
    data = (SETS + KEY if is_key else OTHER) + b"\xff" * 64
    return Packet(
        bytes=data, size=len(data), is_picture=True, is_key=is_key, time=number * SECOND // RATE,
        duration=SECOND // RATE)
