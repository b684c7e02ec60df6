// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// A hand-made table of controls that behaves like a USB camera: what is automatic makes others inactive, and what
/// is inactive is refused.
final class ControlTable: DeviceControls {
    struct Row {
        var id: UInt32
        var identifier: DeviceControl.Identifier?
        var name: String
        var kind: DeviceControl.Kind
        var defaultValue: Int64?
        var value: Int64?
        var isReadOnly = false
        /// The row whose value makes this one inactive, and those of its values that do not.
        var governor: (name: String, manual: [Int64])?
        /// Whether the camera says that it is inactive, or only refuses.
        var saysSo = true
    }

    private struct State {
        var rows: [Row]
        /// What was asked for, in order.
        var writes: [String] = []
        /// The rows that refuse every value.
        var broken: Set<String> = []
    }

    private let state: Lock<State>

    init(_ rows: [Row]) {
        state = Lock(State(rows: rows))
    }

    var writes: [String] { state.withLock { $0.writes } }

    func value(of name: String) -> Int64? {
        state.withLock { $0.rows.first { $0.name == name }?.value }
    }

    /// The camera changes something by itself.
    func change(_ name: String, to value: Int64) {
        state.withLock { state in
            for index in state.rows.indices where state.rows[index].name == name { state.rows[index].value = value }
        }
    }

    func breakRow(_ name: String) {
        state.withLock { _ = $0.broken.insert(name) }
    }

    func controls() throws(ObscuraError) -> [DeviceControl] {
        state.withLock { state in
            state.rows.map { row in
                DeviceControl(
                    id: row.id, identifier: row.identifier, name: row.name, title: row.name, kind: row.kind,
                    defaultValue: row.defaultValue, value: row.value, isReadOnly: row.isReadOnly,
                    isInactive: row.saysSo && Self.isInactive(row, state.rows))
            }
        }
    }

    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        let isTaken = state.withLock { state in
            state.writes.append("\(control.name)=\(value)")
            guard let index = state.rows.firstIndex(where: { $0.id == control.id }),
                !Self.isInactive(state.rows[index], state.rows), !state.broken.contains(control.name)
            else { return false }
            if state.rows[index].value != nil { state.rows[index].value = value }
            return true
        }
        if !isTaken { throw ObscuraError(.capture, .deviceFailed, subject: "table", reason: "refused", errno: 5) }
    }

    private static func isInactive(_ row: Row, _ rows: [Row]) -> Bool {
        guard let governor = row.governor, let value = rows.first(where: { $0.name == governor.name })?.value else {
            return false
        }
        return !governor.manual.contains(value)
    }
}

extension ControlTable {
    /// As a webcam has it. Its names are those of an old kernel if asked for.
    static func webcam(oldNames: Bool = false) -> ControlTable {
        let exposure = oldNames ? "exposure_auto" : "auto_exposure"
        let white = oldNames ? "white_balance_temperature_auto" : "white_balance_automatic"
        let focus = oldNames ? "focus_auto" : "focus_automatic_continuous"
        return ControlTable([
            Row(
                id: 1, identifier: .brightness, name: "brightness", kind: .integer(0...255, step: 5), defaultValue: 130,
                value: 130),
            Row(
                id: 2, identifier: .powerLineFrequency, name: "power_line_frequency",
                kind: menu("Disabled", "50 Hz", "60 Hz"), defaultValue: 2, value: 1),
            Row(id: 3, identifier: .whiteBalanceAutomatic, name: white, kind: .boolean, defaultValue: 1, value: 1),
            Row(
                id: 4, identifier: .whiteBalanceTemperature, name: "white_balance_temperature",
                kind: .integer(2800...6500, step: 10), defaultValue: 4600, value: 4000, governor: (white, [0])),
            // A menu with holes, as all of them have it.
            Row(
                id: 5, identifier: .autoExposure, name: exposure,
                kind: .menu([
                    .init(index: 1, title: "Manual Mode"), .init(index: 3, title: "Aperture Priority Mode"),
                ]), defaultValue: 3, value: 3),
            Row(
                id: 6, identifier: .exposureTime, name: oldNames ? "exposure_absolute" : "exposure_time_absolute",
                kind: .integer(3...2047, step: 1), defaultValue: 250, value: 100, governor: (exposure, [1])),
            Row(id: 7, identifier: .focusAutomatic, name: focus, kind: .boolean, defaultValue: 1, value: 1),
            Row(
                id: 8, identifier: .focus, name: "focus_absolute", kind: .integer(0...250, step: 5), defaultValue: 0,
                value: 50, governor: (focus, [0])),
            Row(
                id: 9, identifier: .zoom, name: "zoom_absolute", kind: .integer(100...500, step: 1), defaultValue: 100,
                value: 150),
            Row(
                id: 10, identifier: .horizontalFlip, name: "horizontal_flip", kind: .boolean, defaultValue: 0, value: 0),
            Row(id: 11, identifier: .focusOnce, name: "auto_focus_start", kind: .button),
            Row(id: 12, name: "privacy", kind: .boolean, defaultValue: 0, value: 0, isReadOnly: true),
            Row(id: 13, name: "serial", kind: .unsupported("a text")),
        ])
    }

    /// As a sensor of a phone has it.
    static func phone() -> ControlTable {
        ControlTable([
            Row(
                id: 1, identifier: .isoSensitivityAutomatic, name: "iso_sensitivity_auto", kind: menu("Manual", "Auto"),
                defaultValue: 1, value: 1),
            Row(
                id: 2, identifier: .isoSensitivity, name: "iso_sensitivity", kind: numbers(100_000, 200_000, 400_000),
                defaultValue: 0, value: 2, governor: ("iso_sensitivity_auto", [0])),
            Row(
                id: 3, identifier: .exposureBias, name: "auto_exposure_bias", kind: numbers(-1000, -500, 0, 500, 1000),
                defaultValue: 2, value: 2),
            Row(id: 4, identifier: .gainAutomatic, name: "gain_automatic", kind: .boolean, defaultValue: 1, value: 1),
            // This one only refuses.
            Row(
                id: 5, identifier: .gain, name: "gain", kind: .integer(0...100, step: 1), defaultValue: 10, value: 40,
                governor: ("gain_automatic", [0]), saysSo: false),
            Row(
                id: 6, identifier: .lightMode, name: "led_mode", kind: menu("Off", "Flash", "Torch"), defaultValue: 0,
                value: 0),
            Row(
                id: 7, identifier: .torchIntensity, name: "intensity_torch_mode", kind: .integer(20...120, step: 20),
                defaultValue: 20, value: 20),
            Row(id: 8, identifier: .flashStrobe, name: "strobe", kind: .button),
            Row(
                id: 9, identifier: .exposureTime, name: "exposure_time_absolute", kind: .integer(1...10_000, step: 1),
                defaultValue: 100, value: 100),
            Row(
                id: 10, identifier: .zoom, name: "zoom_absolute", kind: .integer(0...10, step: 1), defaultValue: 0,
                value: 0),
            Row(
                id: 11, identifier: .redBalance, name: "red_balance", kind: .integer(0...1000, step: 1),
                defaultValue: 500, value: 500, governor: ("white_balance_auto_preset", [0])),
            Row(
                id: 12, identifier: .blueBalance, name: "blue_balance", kind: .integer(0...1000, step: 1),
                defaultValue: 500, value: 500, governor: ("white_balance_auto_preset", [0])),
            Row(
                id: 13, identifier: .whiteBalancePreset, name: "white_balance_auto_preset",
                kind: menu("Manual", "Auto", "Incandescent"), defaultValue: 1, value: 2),
        ])
    }

    static func menu(_ titles: String...) -> DeviceControl.Kind {
        .menu(titles.enumerated().map { DeviceControl.Item(index: Int64($0), title: $1) })
    }

    static func numbers(_ numbers: Int64...) -> DeviceControl.Kind {
        .integerMenu(numbers.enumerated().map { DeviceControl.Item(index: Int64($0), title: "\($1)", number: $1) })
    }
}

/// A device that has these controls and no frames.
struct ControlCamera: CaptureDriver {
    let uniqueID: String
    let table: ControlTable

    var localizedName: String { "Table" }
    var formats: [VideoFormat] { [HandCamera.small] }
    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        HandCamera().makeRun(request, sink: sink, clock: clock)
    }
    func openControls() throws(ObscuraError) -> any DeviceControls { table }
}

extension ControlTable {
    func device(_ name: String = #function) -> CaptureDevice {
        CaptureDevice(driver: ControlCamera(uniqueID: "table:\(name)", table: self))
    }
}
