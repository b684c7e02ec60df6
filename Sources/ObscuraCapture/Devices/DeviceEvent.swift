// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A change of the cameras of the system.
public enum DeviceEvent: Sendable, Hashable {
    /// The camera is available: it was plugged in, or access to it was granted or revoked.
    case connected(CaptureDevice)
    /// The camera is no longer available. When it returns, it is a new object.
    case disconnected(CaptureDevice)

    /// The camera that has changed.
    public var device: CaptureDevice {
        switch self {
        case .connected(let device), .disconnected(let device): device
        }
    }
}
