// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The validated controls of an open node; drivers may report invalid data.
struct V4L2Controls<Port: V4L2ControlPort>: DeviceControls {
    /// The display name.
    let camera: String
    let port: Port

    /// Maximum number of controls; no driver has more.
    private static var listLimit: Int { 1024 }
    /// Maximum number of items; no menu has more.
    private static var menuLimit: Int64 { 256 }

    func controls() throws(ObscuraError) -> [DeviceControl] {
        var found: [DeviceControl] = []
        var names: Set<String> = []
        var id: UInt32 = 0
        for _ in 0..<Self.listLimit {
            // A list whose numbers do not increase would never end.
            guard let info = try next(after: id), info.id > id else { break }
            id = info.id
            if info.kind == .headline || info.isDisabled { continue }
            var name = DeviceControl.name(of: info.title)
            if name.isEmpty || names.contains(name) {
                name += (name.isEmpty ? "control_" : "_") + String(info.id, radix: 16)
            }
            names.insert(name)
            found.append(try control(info, name: name))
        }
        return found
    }

    func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        // Queried again, since only the driver's description has the type.
        let info = control.id > 0 ? try next(after: control.id - 1) : nil
        let isWide = info?.id == control.id && info?.kind == .integer64
        guard let refusal = port.setValue(of: control.id, to: value, isWide: isWide) else { return }
        throw .refused(refusal, camera, control.name, value)
    }

    /// Returns the control with the next greater number, with a clean title.
    private func next(after id: UInt32) throws(ObscuraError) -> V4L2ControlInfo? {
        do throws(V4L2Refusal) {
            guard var info = try port.nextControl(after: id) else { return nil }
            info.title = DeviceName.shown(info.title)
            return info
        } catch {
            throw .system(error.errno, camera, "its controls cannot be listed")
        }
    }

    private func control(_ info: V4L2ControlInfo, name: String) throws(ObscuraError) -> DeviceControl {
        let kind = kind(of: info)
        let hasValue =
            switch kind {
            case .integer, .boolean, .menu, .integerMenu, .bitmask: true
            case .button, .unsupported: false
            }
        var value: Int64?
        if hasValue, !info.isWriteOnly {
            switch port.value(of: info.id, isWide: info.kind == .integer64) {
            case .success(let number): value = info.kind == .bitmask ? Self.bits(number) : number
            case .failure(let refusal) where refusal.errno == ENODEV:
                throw .system(refusal.errno, camera, "its \(name) cannot be read")
            case .failure: value = nil
            }
        }
        return DeviceControl(
            id: info.id, identifier: DeviceControl.Identifier(kernelNumber: info.id), name: name, title: info.title,
            kind: kind, defaultValue: hasValue ? Self.defaultValue(of: info, kind) : nil, value: value,
            isReadOnly: info.isReadOnly, isInactive: info.isInactive)
    }

    private func kind(of info: V4L2ControlInfo) -> DeviceControl.Kind {
        if info.isArray { return .unsupported("an array") }
        switch info.kind {
        case .integer, .integer64:
            guard info.minimum <= info.maximum else { return .unsupported("a number without a range") }
            return .integer(info.minimum...info.maximum, step: max(1, Int64(clamping: info.step)))
        case .boolean: return .boolean
        case .menu, .integerMenu:
            let items = items(of: info)
            guard !items.isEmpty else { return .unsupported("a menu without items") }
            return info.kind == .menu ? .menu(items) : .integerMenu(items)
        case .button: return .button
        case .bitmask: return .bitmask(Self.bits(info.maximum))
        case .text: return .unsupported("a text")
        case .headline, .other: return .unsupported("a structure")
        }
    }

    private func items(of info: V4L2ControlInfo) -> [DeviceControl.Item] {
        let first = max(0, info.minimum)
        let last = min(info.maximum, Int64(UInt32.max), first.addingReportingOverflow(Self.menuLimit - 1).partialValue)
        guard first <= last else { return [] }
        return (first...last).compactMap { index in
            switch port.menuItem(of: info.id, at: UInt32(index), isNumber: info.kind == .integerMenu) {
            case nil: nil
            case .title(let title): DeviceControl.Item(index: index, title: DeviceName.shown(title))
            case .number(let number): DeviceControl.Item(index: index, title: "\(number)", number: number)
            }
        }
    }

    /// Returns the default value; nil for an invalid one.
    private static func defaultValue(of info: V4L2ControlInfo, _ kind: DeviceControl.Kind) -> Int64? {
        let value = info.kind == .bitmask ? bits(info.defaultValue) : info.defaultValue
        let isValid =
            switch kind {
            case .integer(let range, _): range.contains(value)
            case .boolean: value == 0 || value == 1
            case .menu(let items), .integerMenu(let items): items.contains { $0.index == value }
            case .bitmask(let mask): value & ~mask == 0
            case .button, .unsupported: false
            }
        return isValid ? value : nil
    }

    /// Returns the 32 bits of a mask, without sign extension.
    private static func bits(_ number: Int64) -> Int64 {
        Int64(UInt32(truncatingIfNeeded: number))
    }
}

extension ObscuraError {
    /// Returns the error of a rejected value.
    fileprivate static func refused(
        _ refusal: V4L2Refusal, _ camera: String, _ name: String, _ value: Int64
    ) -> ObscuraError {
        switch refusal.errno {
        case EINVAL, ERANGE:
            return ObscuraError(
                .capture, .invalidValue, subject: camera, reason: "its driver rejects \(value) for \(name)",
                errno: refusal.errno)
        case EBUSY:
            return ObscuraError(
                .capture, .deviceInUse, subject: camera,
                reason: "\(name) cannot be changed while the camera runs",
                advice: "Stop the session or program that uses the camera, then set the control again.",
                errno: refusal.errno)
        case EACCES, EPERM:
            return ObscuraError(
                .capture, .unsupportedControl, subject: camera, reason: "its driver does not allow \(name) to be set",
                errno: refusal.errno)
        default:
            return .system(refusal.errno, camera, "\(name) cannot be set")
        }
    }
}
