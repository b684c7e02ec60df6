// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// What the user says of cameras, in a file.
@Suite struct DeviceSettingsTests {
    private let machine: FakeMachine
    private let name = "/users/obscura/devices.json"

    init() throws {
        machine = try FakeMachine()
    }

    private var path: String { machine.root + name }
    private var text: String { String(decoding: machine.files.bytes(of: name, limit: 1 << 20) ?? [], as: UTF8.self) }

    @Test("Without a file nothing is set")
    func missing() throws {
        #expect(try machine.settings.read() == DeviceSettings())
    }

    @Test("Position and name are read, and other keys do not disturb")
    func read() throws {
        try machine.write(
            name,
            """
            {"color": "red", "other": {},
             "devices": {"usb-a:b": {"position": "front", "name": "A \\"b\\"", "speed": 3}, "c": {}}}
            """)
        #expect(
            try machine.settings.read().cameras == ["usb-a:b": .init(position: .front, name: "A \"b\""), "c": .init()])
    }

    @Test("A file that is not JSON is an error with the place, and is not replaced")
    func broken() throws {
        let before = "{\"devices\": {\n  \"a\": {position}}}\n"
        try machine.write(name, before)
        let error = #expect(throws: ObscuraError.self) { try machine.settings.read() }
        #expect(error?.code == .unusableSettings && error?.subject == path)
        #expect(error?.reason.contains("character 22") == true, "\(error?.reason ?? "")")
        #expect(throws: ObscuraError.self) { try machine.settings.set(position: .back, for: "a") }
        #expect(text == before)
    }

    @Test(
        "Values that mean nothing are errors that name their place",
        arguments: [
            ("[]", "it"), ("3", "it"), (#"{"devices": 3}"#, "devices"), (#"{"devices": {"a": 1}}"#, "devices.a"),
            (#"{"devices": {"a": {"position": "sideways"}}}"#, "\"a\""),
            (#"{"devices": {"a": {"position": 1}}}"#, "devices.a.position"),
            (#"{"devices": {"a": {"name": []}}}"#, "devices.a.name"),
        ])
    func meaningless(text: String, place: String) throws {
        try machine.write(name, text)
        let error = #expect(throws: ObscuraError.self) { try machine.settings.read() }
        #expect(error?.code == .unusableSettings && error?.subject == path)
        #expect(error?.reason.contains(place) == true, "\(error?.reason ?? "")")
        #expect(machine.settings.readForDiscovery() == DeviceSettings())
    }

    @Test(
        "Bytes that are no text, an empty file and a deep one are errors",
        arguments: [
            [0xff, 0xfe], Array("{\"a\": \u{0}}".utf8), [], [UInt8](repeating: UInt8(ascii: "["), count: 100_000),
        ])
    func binary(bytes: [UInt8]) throws {
        try machine.write(name, bytes)
        #expect(throws: ObscuraError.self) { try machine.settings.read() }
        #expect(throws: ObscuraError.self) { try machine.settings.set(position: .back, for: "a") }
    }

    @Test("A huge file and a folder in its place are errors")
    func strangeFile() throws {
        try machine.write(name, [UInt8](repeating: 0x23, count: (1 << 20) + 1))
        #expect(throws: ObscuraError.self) { try machine.settings.read() }
        try machine.remove(name)
        try machine.write(name + "/x", "")
        #expect(throws: ObscuraError.self) { try machine.settings.read() }
    }

    @Test("Setting makes the folders for this user alone, and what is set is read again")
    func set() throws {
        let (id, title) = ("usb-\"odd\"-index0", "Tür \"1\"\\")
        try machine.settings.set(position: .front, name: title, for: id)
        #expect(try machine.settings.read().cameras == [id: .init(position: .front, name: title)])
        for folder in ["/users", "/users/obscura"] {
            #expect(machine.files.status(of: folder).map { $0.st_mode & 0o777 } == 0o700)
        }
        #expect(machine.files.status(of: name).map { $0.st_mode & 0o777 } == 0o600)
        #expect(machine.files.names(in: "/users/obscura") == ["devices.json"], "no draft is left")
    }

    @Test("Setting keeps other keys and other cameras")
    func keeps() throws {
        try machine.write(
            name,
            """
            {"other": [1, null, 2.5], "devices": {"b": {"position": "back"},
             "a": {"position": "back", "speed": 3, "name": "Old"}}}
            """)
        try machine.settings.set(position: .front, for: "a")
        try machine.settings.set(name: "", for: "a")
        try machine.settings.set(name: "Über / \"x\"", for: "c")
        try machine.settings.set(position: .unspecified, for: "b")
        #expect(
            text == """
                {
                  "devices" : {
                    "a" : {
                      "position" : "front",
                      "speed" : 3
                    },
                    "c" : {
                      "name" : "Über / \\"x\\""
                    }
                  },
                  "other" : [
                    1,
                    null,
                    2.5
                  ]
                }

                """)
    }

    @Test("What one device's value breaks, setting that value mends")
    func mends() throws {
        try machine.write(name, #"{"devices": {"a": {"position": "sideways"}}}"#)
        try machine.settings.set(position: .back, for: "a")
        #expect(try machine.settings.read().cameras == ["a": .init(position: .back)])
    }

    @Test("A link stays a link, and what it names is changed", arguments: [true, false])
    func link(isThere: Bool) throws {
        if isThere { try machine.write("/dotfiles/devices.json", #"{"kept": 1}"#) }
        try FileManager.default.createDirectory(atPath: machine.root + "/dotfiles", withIntermediateDirectories: true)
        try machine.rawLink(name, "../../dotfiles/devices.json")
        try machine.settings.set(position: .front, for: "a")
        #expect(machine.files.link(at: name) == "../../dotfiles/devices.json")
        let target = try #require(machine.files.text(of: "/dotfiles/devices.json"))
        #expect(target.contains("\"kept\" : 1") == isThere && target.contains("\"position\" : \"front\""))
    }

    @Test("A link in a circle and a place where no folder can be are errors")
    func unwritable() throws {
        try machine.rawLink(name, "devices.json")
        #expect(throws: ObscuraError.self) { try machine.settings.set(position: .front, for: "a") }
        let below = DeviceSettingsFile(path: "/proc/none/devices.json")
        let error = #expect(throws: ObscuraError.self) { try below.set(position: .front, for: "a") }
        #expect(error?.code == .unusableSettings && error?.errno != nil)
    }

    @Test("The rights of a file outlive a change")
    func mode() throws {
        try machine.write(name, "{}")
        #expect(chmod(path, 0o640) == 0)
        try machine.settings.set(position: .front, for: "a")
        #expect(machine.files.status(of: name).map { $0.st_mode & 0o777 } == 0o640)
    }

    @Test("The file lies where XDG says, else at home, and nowhere without either")
    func standard() {
        let path = { DeviceSettingsFile.standard(environment: $0)?.path }
        #expect(path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/obscura/devices.json")
        #expect(path(["XDG_CONFIG_HOME": "relative", "HOME": "/h"]) == "/h/.config/obscura/devices.json")
        #expect(path(["XDG_CONFIG_HOME": "", "HOME": "/h"]) == "/h/.config/obscura/devices.json")
        #expect(path([:]) == nil && path(["HOME": ""]) == nil)
    }

    @Test("A repeated warning is due once in an interval")
    func warnings() {
        let limit = WarningLimit(interval: .seconds(60))
        let start = HostTime(nanoseconds: 5)
        #expect(limit.isDue(at: start) && !limit.isDue(at: start + .seconds(59)))
        #expect(limit.isDue(at: start + .seconds(60)) && !limit.isDue(at: start + .seconds(61)))
    }
}
