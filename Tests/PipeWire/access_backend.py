# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A backend of the desktop portal for tests: the dialog of a camera request, answered by a program.

    access_backend.py ANSWER [--lockdown]

ANSWER is `allow`, `deny`, `cancel`, `error`, or `wait`: a dialog that stays open until AnswerOpen, or for ever. With
--lockdown the administrator has switched cameras off.
"""

import argparse

from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.impl.portal.desktop.obscura", "/org/freedesktop/portal/desktop"
CODES = {"allow": 0, "deny": 1, "cancel": 2}
LOCKS = ("printing", "save-to-disk", "application-handlers", "location", "camera", "microphone", "sound-output")

INTERFACES = Gio.DBusNodeInfo.new_for_xml(f"""
<node>
  <interface name="org.freedesktop.impl.portal.Access">
    <method name="AccessDialog">
      <arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
      <arg type="a{{sv}}" direction="in"/><arg type="u" direction="out"/><arg type="a{{sv}}" direction="out"/>
    </method>
  </interface>
  <interface name="org.freedesktop.impl.portal.Lockdown">
    {"".join(f'<property name="disable-{name}" type="b" access="read"/>' for name in LOCKS)}
  </interface>
  <interface name="org.obscura.Test">
    <method name="SetAnswer"><arg type="s" direction="in"/></method>
    <method name="AnswerOpen"><arg type="s" direction="in"/></method>
    <method name="Count"><arg type="(uuu)" direction="out"/></method>
  </interface>
</node>
""").interfaces
REQUEST = Gio.DBusNodeInfo.new_for_xml(
    '<node><interface name="org.freedesktop.impl.portal.Request"><method name="Close"/></interface></node>'
).interfaces[0]


class Backend:
    """The dialogs: none is shown, and each is answered at once or on demand."""

    def __init__(self, connection, answer, lockdown):
        self.connection, self.standard, self.lockdown = connection, answer, lockdown
        self.shown = self.closed = 0
        # The invocations of the open dialogs and the registrations of their requests, by the path of the request.
        self.open = {}
        for interface in INTERFACES:
            connection.register_object(PATH, interface, self.called, self.read, None)

    def called(self, _connection, _sender, _path, _interface, method, arguments, invocation):
        getattr(self, method)(invocation, *arguments.unpack())

    def read(self, _connection, _sender, _path, _interface, name):
        return GLib.Variant("b", self.lockdown and name == "disable-camera")

    # The names of D-Bus methods.
    def AccessDialog(self, invocation, handle, application, _parent, title, *_):
        print(f"dialog for {application!r}: {title}", flush=True)
        self.shown += 1
        registration = self.connection.register_object(
            handle, REQUEST, lambda *call: self.close(handle, call[-1]), None, None)
        self.open[handle] = (invocation, registration)
        if self.standard != "wait":
            self.answer(handle, self.standard)

    def SetAnswer(self, invocation, answer):
        self.standard = answer
        invocation.return_value(None)

    def AnswerOpen(self, invocation, answer):
        for handle in list(self.open):
            self.answer(handle, answer)
        invocation.return_value(None)

    def Count(self, invocation):
        invocation.return_value(GLib.Variant("((uuu))", ((self.shown, len(self.open), self.closed),)))

    def close(self, handle, invocation):
        self.closed += 1
        invocation.return_value(None)
        self.answer(handle, "cancel")

    def answer(self, handle, answer):
        invocation, registration = self.open.pop(handle)
        self.connection.unregister_object(registration)
        if answer == "error":
            invocation.return_dbus_error("org.freedesktop.portal.Error.Failed", "the dialog cannot be shown")
        else:
            invocation.return_value(GLib.Variant("(ua{sv})", (CODES[answer], {})))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answer", choices=[*CODES, "error", "wait"])
    parser.add_argument("--lockdown", action="store_true")
    options = parser.parse_args()
    loop = GLib.MainLoop()
    Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE,
                     lambda connection, _: Backend(connection, options.answer, options.lockdown), None,
                     lambda *_: loop.quit())
    loop.run()


if __name__ == "__main__":
    main()
