// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraDevices

@Suite("Signals of D-Bus")
struct DBusMatchTests {
    @Test("A rule has the parts that are given")
    func rules() {
        let some = DBusMatch(interface: "org.example.A", member: "B")
        #expect(some.rule == "type='signal',interface='org.example.A',member='B'")
        let all = DBusMatch(
            sender: "org.example", path: "/a", interface: "org.example.A", member: "B", firstArgument: "c")
        #expect(
            all.rule
                == "type='signal',sender='org.example',path='/a',interface='org.example.A',member='B',arg0='c'")
    }

    @Test("A signal is selected by its path, interface, member and first argument")
    func selection() {
        let signal = DBusSignal(path: "/a", interface: "org.example.A", member: "B", arguments: [.text("c")])
        #expect(DBusMatch(interface: "org.example.A", member: "B").selects(signal))
        #expect(DBusMatch(path: "/a", interface: "org.example.A", member: "B", firstArgument: "c").selects(signal))
        #expect(!DBusMatch(path: "/b", interface: "org.example.A", member: "B").selects(signal))
        #expect(!DBusMatch(interface: "org.example.B", member: "B").selects(signal))
        #expect(!DBusMatch(interface: "org.example.A", member: "C").selects(signal))
        #expect(!DBusMatch(interface: "org.example.A", member: "B", firstArgument: "d").selects(signal))
    }

    @Test("Without a bus a call fails, and an observer is told so", .hangLimit)
    func noBus() {
        // The address of the system bus of a machine may exist, but not this service.
        let connection = DBusConnection(.system)
        let call = DBusCall(
            destination: "org.obscura.Nothing", path: "/", interface: "org.obscura.Nothing", member: "Nothing",
            startsService: false)
        #expect(throws: DBusFailure.self) { try connection.call(call, timeout: .seconds(5)) }
    }
}
