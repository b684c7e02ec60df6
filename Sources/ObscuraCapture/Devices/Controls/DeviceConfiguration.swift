// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The settings of a device that ``CaptureDevice/lockForConfiguration(_:)`` has locked.
///
/// It has AVFoundation's words where it has one for a thing. Each setting says whether the device has it, what it
/// takes and what it is by default. What is read is of the moment when the lock was taken, or of the last change;
/// ``update()`` reads again.
///
/// A value between two steps is rounded to the nearer one; one out of range is an error, which names the range.
/// So is one that an automatic control governs at the moment, and the error names that.
///
/// Kernels have no word for the point of interest of focus or exposure; there is none here.
public struct DeviceConfiguration: ~Copyable {
    let device: String
    private let source: any DeviceControls
    /// All controls, in the driver's order.
    public private(set) var controls: [DeviceControl]

    init(of device: String, by source: any DeviceControls) throws(ObscuraError) {
        self.device = device
        self.source = source
        controls = AutomaticControl.explain(try source.controls())
    }

    /// Reads everything again. Cameras change what is automatic by themselves.
    ///
    /// - Throws: ``ObscuraError`` when the device does not answer.
    public mutating func update() throws(ObscuraError) {
        controls = AutomaticControl.explain(try source.controls())
    }

    /// The control of this name; nil if there is none.
    ///
    /// - Parameter name: as the driver has it, or what another age of the kernel calls the same control.
    public func control(named name: String) -> DeviceControl? {
        if let control = controls.first(where: { $0.name == name }) { return control }
        return DeviceControl.Identifier(name: name).flatMap { control($0) }
    }

    /// The well-known control; nil if the device has none such.
    public func control(_ identifier: DeviceControl.Identifier) -> DeviceControl? {
        controls.first { $0.identifier == identifier }
    }

    /// Sets any control.
    ///
    /// - Parameters:
    ///   - name: as for ``control(named:)``.
    ///   - value: a whole number; of a menu, the item's index. A button does what it does, whatever the value.
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, `controlInactive`, and what the device
    ///   says.
    public mutating func set(_ name: String, to value: Int64) throws(ObscuraError) {
        guard let control = control(named: name) else {
            let near = NearNames.of(name, among: controls.map(\.name))
            throw ObscuraError(
                .capture, .unsupportedControl, subject: device, reason: "it has no control \(name)",
                remedy: near.isEmpty ? .listControls : .advice("Did you mean \(near.joined(separator: " or "))?"))
        }
        try set(control, to: value)
    }

    /// Sets any control that is on or off.
    ///
    /// - Throws: as ``set(_:to:)-(String,Int64)``.
    public mutating func set(_ name: String, to isOn: Bool) throws(ObscuraError) {
        try set(name, to: isOn ? 1 : 0)
    }

    /// Gives every control its default value.
    ///
    /// What is automatic by default is set last, so that what it governs has its default beneath. Buttons, and
    /// what is governed all the time, are left alone.
    ///
    /// - Throws: the first refusal of the device, after all others were set.
    public mutating func resetToDefaults() throws(ObscuraError) {
        var refusal: ObscuraError?
        let automatic = Set(AutomaticControl.all.map(\.identifier))
        // A second round: switching off what was automatic has freed others.
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

    // MARK: What the typed settings are made of

    mutating func set(_ control: DeviceControl, to value: Int64) throws(ObscuraError) {
        let value = try control.accepted(value, on: device)
        if control.isInactive { throw inactive(control) }
        do throws(ObscuraError) {
            try source.set(control, to: value)
        } catch {
            // Some drivers refuse without having said that the control is inactive.
            let isRefusal = [.deviceFailed, .invalidValue, .deviceInUse, .unsupportedControl].contains(error.code)
            throw isRefusal && AutomaticControl.governing(control, in: controls) != nil
                ? inactive(control, errno: error.errno) : error
        }
        try update()
    }

    /// The control, if it can be set.
    func settable(_ identifier: DeviceControl.Identifier) -> DeviceControl? {
        guard let control = control(identifier), !control.isReadOnly else { return nil }
        if case .unsupported = control.kind { return nil }
        return control
    }

    /// As ``settable(_:)``, or an error.
    func required(_ identifier: DeviceControl.Identifier) throws(ObscuraError) -> DeviceControl {
        if let control = settable(identifier) { return control }
        throw .unsupportedControl(device, "it has no \(identifier.rawValue) that can be set")
    }

    private func inactive(_ control: DeviceControl, errno: Int32? = nil) -> ObscuraError {
        guard let governing = AutomaticControl.governing(control, in: controls) else {
            return ObscuraError(
                .capture, .controlInactive, subject: device,
                reason: "\(control.name) has no effect with the other settings",
                advice: "Set first what governs it.", errno: errno)
        }
        let name = governing.control.name
        return ObscuraError(
            .capture, .controlInactive, subject: device,
            reason: "\(control.name) is governed by \(name) at this moment",
            advice: governing.manualValue.map { "Switch that off first: set \(name) to \($0)." }, errno: errno)
    }
}
