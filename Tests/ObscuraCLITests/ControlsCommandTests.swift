// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

@Suite("obscura devices controls") struct ControlsCommandTests {
    private let menu = DeviceControl(
        id: 1, name: "power_line_frequency", title: "Power Line Frequency",
        kind: .menu([
            .init(index: 0, title: "Disabled"), .init(index: 1, title: "50 Hz"), .init(index: 3, title: "Auto"),
        ]),
        defaultValue: 1, value: 0)

    private func number(_ argument: String, _ kind: DeviceControl.Kind) throws -> Int64 {
        let assignment = try #require(ControlAssignment(argument: argument))
        return try assignment.number(for: DeviceControl(id: 1, name: "x", title: "X", kind: kind))
    }

    @Test("An assignment is a name, an equals sign and a value")
    func assignments() throws {
        let assignment = try #require(ControlAssignment(argument: "a_b=50 Hz=x"))
        #expect(assignment.name == "a_b" && assignment.value == "50 Hz=x")
        #expect(ControlAssignment(argument: "a=")?.value == "")
        #expect(ControlAssignment(argument: "a") == nil && ControlAssignment(argument: "=1") == nil)
        #expect(ControlAssignment(argument: "") == nil)
    }

    @Test(
        "A switch is on or off",
        arguments: [("on", 1), ("TRUE", 1), ("yes", 1), ("1", 1), ("off", 0), ("false", 0), ("no", 0), ("0", 0)])
    func switches(text: String, value: Int64) throws {
        #expect(try number("x=\(text)", .boolean) == value)
    }

    @Test("Numbers are decimal, or hexadecimal with 0x")
    func numbers() throws {
        let kind = DeviceControl.Kind.integer(-100...100, step: 1)
        #expect(try number("x=-7", kind) == -7)
        #expect(try number("x=0x1F", kind) == 31)
        #expect(try number("x=0x80000000", .bitmask(-1)) == 0x8000_0000)
        // What the library refuses by the range gets that far.
        #expect(try number("x=101", kind) == 101)
    }

    @Test("A menu is chosen by index, by the number that an item stands for, or by words")
    func menus() throws {
        #expect(try number("x=3", menu.kind) == 3)
        #expect(try number("x=50 hz", menu.kind) == 1)
        #expect(try number("x=50_Hz", menu.kind) == 1)
        #expect(try number("x=AUTO", menu.kind) == 3)
        let signs = DeviceControl.Kind.menu([.init(index: 1, title: "+"), .init(index: 2, title: "-")])
        #expect(try number("x=-", signs) == 2)
        #expect(throws: (any Error).self) { try number("x=", signs) }
        let numbers = DeviceControl.Kind.integerMenu([
            .init(index: 0, title: "100", number: 100), .init(index: 1, title: "0", number: 0),
        ])
        #expect(try number("x=100", numbers) == 0)
        #expect(try number("x=0", numbers) == 0, "an index counts first")
    }

    @Test(
        "What a control cannot mean is refused",
        arguments: [
            ("x=", .boolean), ("x=perhaps", .boolean), ("x=1.5", .integer(0...9, step: 1)), ("x=", .bitmask(7)),
            ("x=0x", .integer(0...9, step: 1)), ("x=99999999999999999999", .integer(0...9, step: 1)),
            ("x=off", .button), ("x=2", .menu([.init(index: 1, title: "One")])), ("x=", .menu([])),
            ("x=text", .unsupported("a text")),
        ] as [(String, DeviceControl.Kind)])
    func refused(argument: String, kind: DeviceControl.Kind) {
        #expect(throws: (any Error).self) { try number(argument, kind) }
    }

    @Test("The refusal says what the control takes")
    func words() throws {
        let assignment = try #require(ControlAssignment(argument: "power_line_frequency=70"))
        let error = #expect(throws: (any Error).self) { try assignment.number(for: menu) }
        #expect("\(try #require(error))".contains("takes 0 (Disabled), 1 (50 Hz), 3 (Auto), not 70."))
    }

    @Test("A button is pressed", arguments: ["press", "1", "on"])
    func button(word: String) throws {
        #expect(try number("x=\(word)", .button) == 1)
    }

    @Test("Several assignments keep their order")
    func order() throws {
        let command = try DevicesControlsCommand.parse(
            ["front", "--set", "b=1", "--set", "a=2", "--set", "b=-3", "--json", "--reset"])
        #expect(command.id?.source == "camera:front" && command.output.json && command.reset)
        #expect(command.assignments.map { "\($0.name)=\($0.value)" } == ["b=1", "a=2", "b=-3"])
        #expect(throws: (any Error).self) { try DevicesControlsCommand.parse(["--set", "b"]) }
        #expect(throws: (any Error).self) { try DevicesControlsCommand.parse(["--set"]) }
    }

    @Test(
        "Cameras can be named without their prefix",
        arguments: [
            ("front", "camera:front"), ("/dev/video2", "camera:/dev/video2"), ("camera", "camera"),
            ("camera:back", "camera:back"), ("usb-1", "camera:usb-1"), ("pattern", "pattern"),
        ] as [(String, String)])
    func sources(id: String, source: String) {
        #expect(CameraArgument(argument: id).source == source)
    }

    @Test("The table has columns, the items of menus, and what is inactive")
    func table() {
        let listings = [
            menu,
            DeviceControl(
                id: 2, name: "gain", title: "Gain", kind: .integer(0...255, step: 5), defaultValue: 20, value: 100,
                isInactive: true),
            DeviceControl(id: 3, name: "flip", title: "Flip", kind: .boolean, defaultValue: 0, value: 1),
            DeviceControl(id: 4, name: "go", title: "Go", kind: .button),
            DeviceControl(id: 5, name: "bits", title: "Bits", kind: .bitmask(0xff), value: 16, isReadOnly: true),
        ].map(ControlListing.init)
        #expect(
            ControlListing.table(listings) == """
                control               value  default  takes
                power_line_frequency  0      1        one of
                    0  Disabled
                    1  50 Hz
                    3  Auto
                gain                  100    20       0 to 255 in steps of 5; inactive
                flip                  on     off      0 (off) or 1 (on)
                go                    -      -        a button: go=press
                bits                  0x10   -        the bits 0xff; read only

                """)
        #expect(ControlListing.table([]) == "This camera has no controls.\n")
    }

    @Test("JSON has what the table has")
    func json() throws {
        let text = try JSONText.make([ControlListing(menu)])
        for part in ["\"kind\" : \"menu\"", "\"value\" : 0", "\"defaultValue\" : 1", "\"title\" : \"50 Hz\""] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test("A device without controls, an unknown camera and wrong usage are told as such", .hangLimit)
    func tool() async throws {
        let obscura = Tool(folder: try TemporaryFolder())
        let pattern = try await obscura("devices", "controls", "pattern", "--json")
        #expect(pattern.code == 1 && pattern.output.isEmpty)
        #expect(pattern.errors == "obscura: Test pattern: it has no controls.\n", "\(pattern.errors)")
        let unknown = try await obscura("devices", "controls", "no-such-camera", "--set", "gain=1")
        #expect(unknown.code == 1 && unknown.errors.contains("no-such-camera"), "\(unknown.errors)")
        let usage = try await obscura("devices", "controls", "--set", "gain")
        #expect(usage.code == 64 && usage.errors.contains("name=value"), "\(usage.errors)")
    }
}
