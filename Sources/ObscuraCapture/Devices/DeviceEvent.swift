// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What happens to the cameras of the machine.
public enum DeviceEvent: Sendable, Hashable {
    /// It is there: it was plugged in, or the right to use it was given or taken.
    case connected(CaptureDevice)
    /// It is there no more. Another object for the same camera comes when it is back.
    case disconnected(CaptureDevice)

    /// The camera that it is about.
    public var device: CaptureDevice {
        switch self {
        case .connected(let device), .disconnected(let device): device
        }
    }
}
