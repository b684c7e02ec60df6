// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension CaptureDevice {
    /// The current controls of the device. Needs no lock.
    ///
    /// - Throws: ``ObscuraError``: ``ObscuraError/Code/unsupportedControl`` for a device that can have none, and
    ///   what opening it says.
    public var controls: [DeviceControl] {
        get throws(ObscuraError) {
            AutomaticControl.explain(try driver.openControls().controls())
        }
    }

    /// Changes the device's settings: focus, exposure, white balance, zoom, light and others.
    ///
    /// The closure has the device for itself in this process: another call for the same unique id waits until it
    /// has returned, for 10 s at most. Other processes are not kept out. A session may run on the device or not;
    /// a change shows some frames later. What the closure has set stays set when it throws, and most cameras keep
    /// it until they lose their power.
    ///
    /// Blocks the calling thread, while it waits and while the device takes each value (some milliseconds on
    /// USB): on an actor that must stay quick, call it from a task elsewhere.
    ///
    /// ```swift
    /// try device.lockForConfiguration { device in
    ///     if device.isFocusModeSupported(.locked) { try device.setFocusModeLocked(lensPosition: 1) }
    ///     try device.set("power_line_frequency", to: 1)
    /// }
    /// ```
    ///
    /// - Throws: what the closure throws, and ``ObscuraError``: as ``controls``, and
    ///   ``ObscuraError/Code/timedOut`` when somebody else has the device locked for too long.
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
