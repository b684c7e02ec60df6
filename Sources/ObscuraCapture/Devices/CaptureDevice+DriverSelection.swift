// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

extension CaptureDevice {
    /// The driver to use for each camera that several drivers can reach; nil to choose automatically. Applies to all
    /// searches in this process after it was set; a device that was found before keeps its driver.
    public static var preferredDriver: CameraDriverKind? {
        get { preference.withLock { $0 } }
        set { preference.withLock { $0 = newValue } }
    }

    private static let preference = Lock<CameraDriverKind?>(nil)

    /// The driver by which the camera is reached, and why; nil for other devices, such as files and microphones.
    public var driverSelection: CameraDriverSelection? { driver.driverSelection }
}
