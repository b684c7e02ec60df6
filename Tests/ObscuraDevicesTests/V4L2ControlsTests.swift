// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import Testing

@testable import ObscuraDevices

/// A driver that answers what it was told to, whatever it was asked.
private final class LyingDriver: V4L2ControlPort {
    let list: @Sendable (UInt32) -> V4L2ControlInfo?
    let item: @Sendable (UInt32) -> V4L2MenuItem?
    let answer: Result<Int64, V4L2Refusal>
    let refusal: V4L2Refusal?
    let listRefusal: V4L2Refusal?
    let asked = Lock((controls: 0, items: 0, writes: [String]()))

    init(
        list: @escaping @Sendable (UInt32) -> V4L2ControlInfo?,
        item: @escaping @Sendable (UInt32) -> V4L2MenuItem? = { _ in nil },
        answer: Result<Int64, V4L2Refusal> = .success(0), refusal: V4L2Refusal? = nil,
        listRefusal: V4L2Refusal? = nil
    ) {
        self.listRefusal = listRefusal
        self.list = list
        self.item = item
        self.answer = answer
        self.refusal = refusal
    }

    /// An honest list of these.
    convenience init(
        _ infos: [V4L2ControlInfo], item: @escaping @Sendable (UInt32) -> V4L2MenuItem? = { _ in nil },
        answer: Result<Int64, V4L2Refusal> = .success(0), refusal: V4L2Refusal? = nil
    ) {
        self.init(list: { id in infos.first { $0.id > id } }, item: item, answer: answer, refusal: refusal)
    }

    var controls: V4L2Controls<LyingDriver> { V4L2Controls(camera: "Liar", port: self) }

    func nextControl(after id: UInt32) throws(V4L2Refusal) -> V4L2ControlInfo? {
        asked.withLock { $0.controls += 1 }
        if let listRefusal { throw listRefusal }
        return list(id)
    }

    func menuItem(of id: UInt32, at index: UInt32, isNumber: Bool) -> V4L2MenuItem? {
        asked.withLock { $0.items += 1 }
        return item(index)
    }

    func value(of id: UInt32, isWide: Bool) -> Result<Int64, V4L2Refusal> { answer }

    func setValue(of id: UInt32, to value: Int64, isWide: Bool) -> V4L2Refusal? {
        asked.withLock { $0.writes.append("\(id)=\(value)\(isWide ? " wide" : "")") }
        return refusal
    }
}

@Suite("The controls of a driver that may lie")
struct V4L2ControlsTests {
    @Test("A list that never ends is cut off")
    func endless() throws {
        let driver = LyingDriver(list: { V4L2ControlInfo(id: $0 + 1, kind: .integer, title: "x", maximum: 1) })
        let controls = try driver.controls.controls()
        #expect(controls.count == 1024)
        #expect(Set(controls.map(\.name)).count == 1024)
    }

    @Test("A list that does not go on upwards ends", arguments: [5, 4, 0] as [UInt32])
    func circle(second: UInt32) throws {
        let driver = LyingDriver(list: { V4L2ControlInfo(id: $0 == 0 ? 5 : second, kind: .boolean, title: "x") })
        #expect(try driver.controls.controls().map(\.id) == [5])
    }

    @Test("Headlines and what is there only in principle are not listed")
    func hidden() throws {
        var disabled = V4L2ControlInfo(id: 2, kind: .integer, title: "Off")
        disabled.isDisabled = true
        let driver = LyingDriver([
            V4L2ControlInfo(id: 1, kind: .headline, title: "User Controls"), disabled,
            V4L2ControlInfo(id: 3, kind: .boolean, title: "On"),
        ])
        #expect(try driver.controls.controls().map(\.name) == ["on"])
    }

    @Test("Controls without a name, and two of one name, can be told apart")
    func names() throws {
        let driver = LyingDriver([
            V4L2ControlInfo(id: 0x11, kind: .boolean, title: ""),
            V4L2ControlInfo(id: 0x12, kind: .boolean, title: "Gain"),
            V4L2ControlInfo(id: 0x13, kind: .boolean, title: "GAIN"),
            V4L2ControlInfo(id: 0x14, kind: .boolean, title: "??"),
        ])
        #expect(try driver.controls.controls().map(\.name) == ["control_11", "gain", "gain_13", "control_14"])
    }

    @Test("A range that is none is no range")
    func ranges() throws {
        let driver = LyingDriver(
            [
                V4L2ControlInfo(id: 1, kind: .integer, title: "a", minimum: 5, maximum: 4),
                V4L2ControlInfo(id: 2, kind: .integer64, title: "b", minimum: .min, maximum: .max, step: .max),
                V4L2ControlInfo(id: 3, kind: .integer, title: "c", minimum: 1, maximum: 4, step: 0, defaultValue: 9),
                V4L2ControlInfo(id: 4, kind: .integer, title: "d", maximum: 4, isArray: true),
                V4L2ControlInfo(id: 5, kind: .other(0x123), title: "e"),
                V4L2ControlInfo(id: 6, kind: .text, title: "f"),
            ], answer: .success(77))
        let controls = try driver.controls.controls()
        #expect(
            controls.map(\.kind) == [
                .unsupported("a number without a range"), .integer(.min ... .max, step: .max), .integer(1...4, step: 1),
                .unsupported("an array"), .unsupported("a structure"), .unsupported("a text"),
            ])
        #expect(controls.map(\.value) == [nil, 77, 77, nil, nil, nil])
        #expect(controls[2].defaultValue == nil, "a default that the control does not take is none")
    }

    @Test("Titles and menus of control characters are shown as words")
    func escapes() throws {
        let driver = LyingDriver(
            [V4L2ControlInfo(id: 1, kind: .menu, title: "\u{1b}]0;Power\u{7} Line\n\u{202e}", maximum: 1)],
            item: { $0 == 0 ? .title("\u{1b}[2JOff\r") : .title("On") })
        let control = try #require(try driver.controls.controls().first)
        #expect(control.title == "]0;Power Line")
        #expect(control.kind == .menu([.init(index: 0, title: "[2JOff"), .init(index: 1, title: "On")]))
    }

    @Test("Whatever fails, the camera is named as its user knows it")
    func subject() {
        let driver = LyingDriver(list: { _ in nil }, listRefusal: V4L2Refusal(errno: EIO))
        let error = #expect(throws: ObscuraError.self) { try driver.controls.controls() }
        #expect(error?.subject == "Liar" && error?.reason.hasPrefix("its controls cannot be listed: ") == true)
    }

    @Test("Menus have holes, and ends")
    func menus() throws {
        let holes = LyingDriver(
            [V4L2ControlInfo(id: 1, kind: .menu, title: "m", maximum: 3, defaultValue: 3)],
            item: { $0 % 2 == 1 ? .title("item \($0)") : nil }, answer: .success(1))
        let control = try #require(try holes.controls.controls().first)
        #expect(control.kind == .menu([.init(index: 1, title: "item 1"), .init(index: 3, title: "item 3")]))
        #expect(control.defaultValue == 3 && control.value == 1)

        let endless = LyingDriver(
            [V4L2ControlInfo(id: 1, kind: .integerMenu, title: "m", minimum: -7, maximum: .max)],
            item: { .number(Int64($0) * 10) })
        #expect(try endless.controls.controls().first?.kind.items?.count == 256)
        #expect(endless.asked.withLock { $0.items } == 256)

        for (least, greatest) in [(0, -1), (Int64.max, .max), (5_000_000_000, 6_000_000_000), (3, 2)]
            as [(Int64, Int64)]
        {
            let driver = LyingDriver(
                [V4L2ControlInfo(id: 1, kind: .menu, title: "m", minimum: least, maximum: greatest)],
                item: { _ in .title("x") })
            #expect(try driver.controls.controls().first?.kind == .unsupported("a menu without items"))
        }
    }

    @Test("The highest bit of a mask is a bit, not a sign")
    func mask() throws {
        let driver = LyingDriver(
            [V4L2ControlInfo(id: 1, kind: .bitmask, title: "m", maximum: -1, defaultValue: Int64(Int32.min))],
            answer: .success(-2))
        let control = try #require(try driver.controls.controls().first)
        #expect(control.kind == .bitmask(0xffff_ffff))
        #expect(control.value == 0xffff_fffe && control.defaultValue == 0x8000_0000)
    }

    @Test("A value that cannot be read is none; a device that is gone is an error")
    func unreadable() throws {
        let infos = [V4L2ControlInfo(id: 1, kind: .boolean, title: "a")]
        for status in [EIO, EACCES, EINVAL] {
            let driver = LyingDriver(infos, answer: .failure(V4L2Refusal(errno: status)))
            #expect(try driver.controls.controls().first?.value == nil)
        }
        let gone = LyingDriver(infos, answer: .failure(V4L2Refusal(errno: ENODEV)))
        let error = #expect(throws: ObscuraError.self) { try gone.controls.controls() }
        #expect(error?.code == .deviceDisconnected)
    }

    @Test(
        "A refusal comes in words",
        arguments: [
            (EINVAL, .invalidValue, "its driver rejects 3 for gain"),
            (ERANGE, .invalidValue, "its driver rejects 3 for gain"),
            (EBUSY, .deviceInUse, "gain cannot be changed while the camera runs"),
            (EACCES, .unsupportedControl, "its driver does not allow gain to be set"),
            (EIO, .deviceFailed, "gain cannot be set: input/output error"),
            (ENODEV, .deviceDisconnected, "it was disconnected"),
        ] as [(Int32, ObscuraError.Code, String)])
    func refused(status: Int32, code: ObscuraError.Code, reason: String) throws {
        let driver = LyingDriver(
            [V4L2ControlInfo(id: 1, kind: .integer, title: "Gain", maximum: 9)], refusal: V4L2Refusal(errno: status))
        let control = try #require(try driver.controls.controls().first)
        let error = #expect(throws: ObscuraError.self) { try driver.controls.set(control, to: 3) }
        #expect(error?.code == code && error?.reason == reason && error?.errno == status)
    }

    @Test("Wide numbers are set as such")
    func wide() throws {
        let driver = LyingDriver([
            V4L2ControlInfo(id: 1, kind: .integer64, title: "a", maximum: .max),
            V4L2ControlInfo(id: 2, kind: .integer, title: "b", maximum: 9),
        ])
        for control in try driver.controls.controls() { try driver.controls.set(control, to: 4) }
        #expect(driver.asked.withLock { $0.writes } == ["1=4 wide", "2=4"])
    }

    @Test(
        "Controls are known by the kernel's numbers, not by their names",
        arguments: [
            (0x0098_0900, .brightness), (0x009a_0901, .autoExposure), (0x009a_0902, .exposureTime),
            (0x0098_090c, .whiteBalanceAutomatic), (0x009a_090c, .focusAutomatic), (0x009c_0901, .lightMode),
            (0x0098_0918, .powerLineFrequency), (0x009a_0917, .isoSensitivity),
        ] as [(UInt32, DeviceControl.Identifier)])
    func numbers(number: UInt32, identifier: DeviceControl.Identifier) throws {
        let driver = LyingDriver([V4L2ControlInfo(id: number, kind: .integer, title: "Whatever", maximum: 1)])
        #expect(try driver.controls.controls().first?.identifier == identifier)
    }
}
