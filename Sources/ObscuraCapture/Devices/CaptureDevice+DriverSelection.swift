// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

extension CaptureDevice {
    /// The driver to use for cameras that several drivers support; nil to choose automatically. A change applies in
    /// this process to devices that are found afterwards; devices that were found earlier keep their driver.
    public static var preferredDriver: CameraDriverKind? {
        get { preference.withLock { $0 } }
        set { preference.withLock { $0 = newValue } }
    }

    private static let preference = Lock<CameraDriverKind?>(nil)

    /// The driver of the camera, and the reason for its choice; nil for other devices, such as files and microphones.
    public var driverSelection: CameraDriverSelection? { driver.driverSelection }
}
