// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension CaptureDevice {
    /// The controls of the device, with their current values. Can be read without ``lockForConfiguration(_:)``.
    ///
    /// - Throws: ``ObscuraError``: ``ObscuraError/Code/unsupportedControl`` for a device without controls, and errors
    ///   of opening the device.
    public var controls: [DeviceControl] {
        get throws(ObscuraError) {
            AutomaticControl.explain(try driver.openControls().controls())
        }
    }

    /// Changes the device's settings: focus, exposure, white balance, zoom, torch and others.
    ///
    /// The closure has exclusive access within this process: another call for the same device waits until the closure
    /// has returned, for at most 10 s. Other processes are not excluded. A session may run on the device at the same
    /// time; a change takes effect after some frames. If the closure throws, the changes made before the error are
    /// kept. Most cameras keep their settings until they lose power.
    ///
    /// Blocks the calling thread during the wait. On USB, each value that is read or set blocks the thread for some
    /// milliseconds. Do not call this method on an actor that must respond quickly.
    ///
    /// ```swift
    /// try device.lockForConfiguration { device in
    ///     if device.isFocusModeSupported(.locked) { try device.setFocusModeLocked(lensPosition: 1) }
    ///     try device.set("power_line_frequency", to: 1)
    /// }
    /// ```
    ///
    /// - Throws: the errors of the closure; the errors of ``controls``; ``ObscuraError/Code/timedOut`` if the wait for
    ///   another call exceeds 10 s.
    public func lockForConfiguration<R>(_ body: (inout DeviceConfiguration) throws -> R) throws -> R {
        try lockForConfiguration(until: .now + .seconds(10), body)
    }

    func lockForConfiguration<R>(
        until deadline: HostTime, _ body: (inout DeviceConfiguration) throws -> R
    ) throws -> R {
        try ConfigurationLocks.shared.withLock(on: uniqueID, named: localizedName, until: deadline) {
            var configuration = try DeviceConfiguration(of: localizedName, by: driver.openControls())
            return try body(&configuration)
        }
    }
}
