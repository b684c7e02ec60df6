// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia

/// A lens and a lamp.
final class Knobs: DeviceControls {
    private static let all = [
        knob(1, .zoom, "Zoom", .integer(100...400, step: 10), 100),
        knob(
            2, .lightMode, "Lamp",
            .menu([.init(index: 0, title: "Off"), .init(index: 1, title: "Flash"), .init(index: 2, title: "Torch")]), 0),
        knob(3, .focusAutomatic, "Continuous focus", .boolean, 1),
        knob(4, .focus, "Focus", .integer(0...255, step: 5), 50),
        knob(5, .focusOnce, "Focus once", .button, nil),
        knob(6, nil, "Brightness", .integer(-64...64, step: 1), 0),
    ]

    private let values = Lock<[UInt32: Int64]>([:])

    private static func knob(
        _ id: UInt32, _ identifier: DeviceControl.Identifier?, _ title: String, _ kind: DeviceControl.Kind,
        _ usual: Int64?
    ) -> DeviceControl {
        DeviceControl(
            id: id, identifier: identifier, name: identifier?.rawValue ?? title.lowercased(), title: title, kind: kind,
            defaultValue: usual, value: usual)
    }

    func controls() throws(ObscuraError) -> [DeviceControl] {
        let values = values.withLock { $0 }
        return Self.all.map { knob in
            DeviceControl(
                id: knob.id, identifier: knob.identifier, name: knob.name, title: knob.title, kind: knob.kind,
                defaultValue: knob.defaultValue, value: values[knob.id] ?? knob.value)
        }
    }

    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        if control.kind != .button { values.withLock { $0[control.id] = value } }
    }
}
