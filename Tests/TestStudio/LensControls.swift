// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// Controls of a lens and an LED.
final class LensControls: DeviceControls {
    private static let all = [
        control(1, .zoom, "Zoom", .integer(100...400, step: 10), 100),
        control(
            2, .lightMode, "LED",
            .menu([.init(index: 0, title: "Off"), .init(index: 1, title: "Flash"), .init(index: 2, title: "Torch")]), 0),
        control(3, .focusAutomatic, "Continuous focus", .boolean, 1),
        control(4, .focus, "Focus", .integer(0...255, step: 5), 50),
        control(5, .focusOnce, "Focus once", .button, nil),
        control(6, nil, "Brightness", .integer(-64...64, step: 1), 0),
    ]

    private let values = Lock<[UInt32: Int64]>([:])

    private static func control(
        _ id: UInt32, _ identifier: DeviceControl.Identifier?, _ title: String, _ kind: DeviceControl.Kind,
        _ usual: Int64?
    ) -> DeviceControl {
        DeviceControl(
            id: id, identifier: identifier, name: identifier?.rawValue ?? title.lowercased(), title: title, kind: kind,
            defaultValue: usual, value: usual)
    }

    func controls() throws(ObscuraError) -> [DeviceControl] {
        let values = values.withLock { $0 }
        return Self.all.map { control in
            DeviceControl(
                id: control.id, identifier: control.identifier, name: control.name, title: control.title,
                kind: control.kind,
                defaultValue: control.defaultValue, value: values[control.id] ?? control.value)
        }
    }

    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        if control.kind != .button { values.withLock { $0[control.id] = value } }
    }
}
