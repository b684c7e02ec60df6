// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A hot-plug event of a device.
public enum DeviceEvent: Sendable, Hashable {
    /// The device was connected, or its permission changed.
    case connected(CaptureDevice)
    /// The device was disconnected. If it is connected again, another ``CaptureDevice`` object is reported.
    case disconnected(CaptureDevice)

    /// The device that was connected or disconnected.
    public var device: CaptureDevice {
        switch self {
        case .connected(let device), .disconnected(let device): device
        }
    }
}
