// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The settings of a device, passed to the closure of ``CaptureDevice/lockForConfiguration(_:)``.
///
/// The names of settings follow AVFoundation. Each setting contains its current value, its valid values, its default,
/// and whether the device supports the setting. Values are read when the device is locked and after each change;
/// ``update()`` reads all values again.
///
/// A value between two steps is rounded to the nearest step. For a value out of range, the error contains the range.
/// For a setting that an automatic control disables, the error contains the name of the automatic control.
///
/// Points of interest for focus and exposure are not available, since V4L2 does not support them.
public struct DeviceConfiguration: ~Copyable {
    let device: String
    private let source: any DeviceControls
    /// All controls of the device, in the driver's order.
    public private(set) var controls: [DeviceControl]

    init(of device: String, by source: any DeviceControls) throws(ObscuraError) {
        self.device = device
        self.source = source
        controls = AutomaticControl.explain(try source.controls())
    }

    /// Reads all values again, since cameras change automatic settings by themselves.
    ///
    /// - Throws: ``ObscuraError`` if the device does not respond.
    public mutating func update() throws(ObscuraError) {
        controls = AutomaticControl.explain(try source.controls())
    }

    /// Returns the control with this name; nil if the device has no such control.
    ///
    /// - Parameter name: the name of the control in the driver. Names of the control in other kernel versions are also
    ///   accepted.
    public func control(named name: String) -> DeviceControl? {
        if let control = controls.first(where: { $0.name == name }) { return control }
        return DeviceControl.Identifier(name: name).flatMap { control($0) }
    }

    /// Returns a well-known control; nil if the device does not have the control.
    public func control(_ identifier: DeviceControl.Identifier) -> DeviceControl? {
        controls.first { $0.identifier == identifier }
    }

    /// Sets the control with this name. Works for every control, even if this type has no property for the control.
    ///
    /// - Parameters:
    ///   - name: the name of the control, as for ``control(named:)``.
    ///   - value: the new value; for a menu the ``DeviceControl/Item/index`` of an item, for a button any number.
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and errors of the device.
    public mutating func set(_ name: String, to value: Int64) throws(ObscuraError) {
        guard let control = control(named: name) else {
            let near = NearNames.of(name, among: controls.map(\.name))
            throw ObscuraError(
                .capture, .unsupportedControl, subject: device, reason: "it has no control \(name)",
                remedy: near.isEmpty ? .listControls : .advice("Did you mean \(near.joined(separator: " or "))?"))
        }
        try set(control, to: value)
    }

    /// Turns the Boolean control with this name on or off.
    ///
    /// - Throws: the errors of ``set(_:to:)-(String,Int64)``.
    public mutating func set(_ name: String, to isOn: Bool) throws(ObscuraError) {
        try set(name, to: isOn ? 1 : 0)
    }

    /// Resets all controls to their defaults.
    ///
    /// Automatic controls are reset last, since they disable other controls. Buttons, and controls that remain
    /// disabled, are not reset.
    ///
    /// - Throws: the first error of setting a control. The error is thrown after all other controls were reset. Only an
    ///   error of ``update()`` is thrown at once.
    public mutating func resetToDefaults() throws(ObscuraError) {
        var refusal: ObscuraError?
        let automatic = Set(AutomaticControl.all.map(\.identifier))
        // The second round sets controls that the first one enabled.
        for _ in 0..<2 {
            let isLast = { (control: DeviceControl) in control.identifier.map(automatic.contains) ?? false }
            for control in controls.filter({ !isLast($0) }) + controls.filter(isLast) {
                guard let value = control.defaultValue, let current = control.value, value != current,
                    !control.isInactive, control.offers(value)
                else { continue }
                do throws(ObscuraError) {
                    try source.set(control, to: value)
                } catch {
                    refusal = refusal ?? error
                }
            }
            try update()
        }
        if let refusal { throw refusal }
    }

    // MARK: Access for typed settings

    mutating func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        let value = try control.accepted(value, on: device)
        if control.isInactive { throw inactive(control) }
        do throws(ObscuraError) {
            try source.set(control, to: value)
        } catch {
            // Some drivers reject a value without reporting the control as inactive.
            let isRefusal = [.deviceFailed, .invalidValue, .deviceInUse, .unsupportedControl].contains(error.code)
            throw isRefusal && AutomaticControl.governing(control, in: controls) != nil
                ? inactive(control, errno: error.errno) : error
        }
        try update()
    }

    /// Returns the control; nil if it cannot be set.
    func settable(_ identifier: DeviceControl.Identifier) -> DeviceControl? {
        guard let control = control(identifier), !control.isReadOnly else { return nil }
        if case .unsupported = control.kind { return nil }
        return control
    }

    /// Returns the control, as ``settable(_:)``, or throws `unsupportedControl`.
    func required(_ identifier: DeviceControl.Identifier) throws(ObscuraError) -> DeviceControl {
        if let control = settable(identifier) { return control }
        throw .unsupportedControl(device, "it has no control \(identifier.rawValue) that can be set")
    }

    private func inactive(_ control: DeviceControl, errno: Int32? = nil) -> ObscuraError {
        guard let governing = AutomaticControl.governing(control, in: controls) else {
            return ObscuraError(
                .capture, .controlInactive, subject: device,
                reason: "another setting currently disables \(control.name)",
                advice: "Change that setting first.", errno: errno)
        }
        let name = governing.control.name
        return ObscuraError(
            .capture, .controlInactive, subject: device,
            reason: "\(control.name) is currently controlled by \(name)",
            advice: governing.manualValue.map { "Set \(name) to \($0) first." }, errno: errno)
    }
}
