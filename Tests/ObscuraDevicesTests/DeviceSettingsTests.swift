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
    private let name = "/users/obscura/devices.toml"

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
            color = "red"
            [devices."usb-a:b"]
            position = "front"
            name = "A \\"b\\""
            speed = 3
            [other]
            """)
        #expect(try machine.settings.read().cameras == ["usb-a:b": .init(position: .front, name: "A \"b\"")])
    }

    @Test("A file that is no TOML is an error with line and column")
    func broken() throws {
        try machine.write(name, "[devices.a]\nposition = front\n")
        let error = #expect(throws: ObscuraError.self) { try machine.settings.read() }
        #expect(error?.code == .unusableSettings)
        #expect(error?.subject.hasPrefix(path + ":2:") == true, "\(error?.subject ?? "")")
        #expect(throws: ObscuraError.self) { try machine.settings.set(position: .back, for: "a") }
        #expect(text == "[devices.a]\nposition = front\n", "a broken file is not written over")
    }

    @Test(
        "Values that mean nothing are errors that name the camera",
        arguments: [
            "devices = 3", "[devices]\na = 1", "[devices.a]\nposition = \"sideways\"", "[devices.a]\nposition = 1",
            "[devices.a]\nname = []", "[[devices.a]]\nposition = \"front\"",
        ])
    func meaningless(text: String) throws {
        try machine.write(name, text)
        let error = #expect(throws: ObscuraError.self) { try machine.settings.read() }
        #expect(error?.code == .unusableSettings && error?.subject == path)
        #expect(machine.settings.readForDiscovery() == DeviceSettings())
    }

    @Test(
        "Bytes that are no text are an error",
        arguments: [[0xff, 0xfe], [0x61, 0x3d, 0x31, 0x00, 0x5b]])
    func binary(bytes: [UInt8]) throws {
        try machine.write(name, bytes)
        #expect(throws: ObscuraError.self) { try machine.settings.read() }
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
        #expect(machine.files.names(in: "/users/obscura") == ["devices.toml"], "no draft is left")
    }

    @Test("Setting keeps comments, other keys, other cameras and the order")
    func keeps() throws {
        let before = """
            # mine
            [devices."b"]
            position = "back" # over there

            [devices."a"]
            # why
            position = "back"
            speed = 3
            name = "Old"
            [other]
            position = "x"

            """
        try machine.write(name, before)
        try machine.settings.set(position: .front, for: "a")
        let after = before.replacingOccurrences(of: "# why\nposition = \"back\"", with: "# why\nposition = \"front\"")
        #expect(text == after)
        try machine.settings.set(name: "", for: "a")
        #expect(!text.contains("Old") && text.contains("speed = 3\n[other]"))
        try machine.settings.set(name: "New", for: "c")
        #expect(text.hasSuffix("position = \"x\"\n\n[devices.\"c\"]\nname = \"New\"\n"))
        #expect(text.hasPrefix("# mine\n"))
    }

    @Test(
        "Values are changed in whatever form they are written",
        arguments: [
            "devices = { a = { position = 'back', name = \"\", x = 3 }, b = { position = \"front\" } }\n",
            "[devices]\na.position = \"back\"\na.name = \"\"\"x\ny\"\"\"\n[devices.b]\nposition = \"front\"\n",
            "[ devices . 'a' ]\nposition = \"back\"#c\nspeed = [3, {a = 1}]\n[devices.b]\nposition = \"front\"\n",
            "[devices.a]\r\n\"position\" = \"back\"\r\nspeed = 3\r\n[devices.b]\r\nposition = \"front\"\r\n",
            "[devices.\"a\"]\nx = \'\'\'\nposition = \"back\"\n[devices.b]\n\'\'\'\n[devices.b]\nposition = \"front\"",
            "[devices.b]\nposition = \"front\"\n[devices.a]",
        ])
    func otherForms(before: String) throws {
        try machine.write(name, before)
        try machine.settings.set(position: .front, name: "N", for: "a")
        let settings = try machine.settings.read()
        #expect(settings.cameras["a"] == .init(position: .front, name: "N"), "\(text)")
        #expect(settings.cameras["b"] == .init(position: .front), "\(text)")
        try machine.settings.set(position: .unspecified, name: "", for: "a")
        let camera = try machine.settings.read().cameras["a"]
        #expect(camera?.name == nil && (camera?.position ?? .unspecified) == .unspecified, "\(text)")
    }

    @Test("Where no key can be added, that is said and nothing is written")
    func closedForm() throws {
        let before = "devices = { a = { position = \"back\" } }\n"
        try machine.write(name, before)
        #expect(throws: ObscuraError.self) { try machine.settings.set(name: "N", for: "a") }
        #expect(text == before)
        // TOML forbids to go on with a table in braces, and so a file of it cannot take a second camera.
        #expect(throws: Never.self) { try machine.settings.set(position: .front, for: "a") }
    }

    @Test("What one device's value breaks, setting that value mends")
    func mends() throws {
        try machine.write(name, "[devices.\"a\"]\nposition = \"sideways\"\n")
        try machine.settings.set(position: .back, for: "a")
        #expect(try machine.settings.read().cameras == ["a": .init(position: .back)])
    }

    @Test("A link stays a link, and what it names is changed", arguments: [true, false])
    func link(isThere: Bool) throws {
        if isThere { try machine.write("/dotfiles/devices.toml", "# kept\n") }
        try FileManager.default.createDirectory(atPath: machine.root + "/dotfiles", withIntermediateDirectories: true)
        try machine.rawLink(name, "../../dotfiles/devices.toml")
        try machine.settings.set(position: .front, for: "a")
        #expect(machine.files.link(at: name) == "../../dotfiles/devices.toml")
        let target = try #require(machine.files.text(of: "/dotfiles/devices.toml"))
        #expect(target.hasPrefix("# kept") == isThere && target.contains("[devices.\"a\"]\nposition = \"front\""))
    }

    @Test("A link in a circle and a place where no folder can be are errors")
    func unwritable() throws {
        try machine.rawLink(name, "devices.toml")
        #expect(throws: ObscuraError.self) { try machine.settings.set(position: .front, for: "a") }
        let below = DeviceSettingsFile(path: "/proc/none/devices.toml")
        let error = #expect(throws: ObscuraError.self) { try below.set(position: .front, for: "a") }
        #expect(error?.code == .unusableSettings && error?.errno != nil)
    }

    @Test("The rights of a file outlive a change")
    func mode() throws {
        try machine.write(name, "")
        #expect(chmod(path, 0o640) == 0)
        try machine.settings.set(position: .front, for: "a")
        #expect(machine.files.status(of: name).map { $0.st_mode & 0o777 } == 0o640)
    }

    @Test("The file lies where XDG says, else at home, and nowhere without either")
    func standard() {
        let path = { DeviceSettingsFile.standard(environment: $0)?.path }
        #expect(path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/obscura/devices.toml")
        #expect(path(["XDG_CONFIG_HOME": "relative", "HOME": "/h"]) == "/h/.config/obscura/devices.toml")
        #expect(path(["XDG_CONFIG_HOME": "", "HOME": "/h"]) == "/h/.config/obscura/devices.toml")
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
