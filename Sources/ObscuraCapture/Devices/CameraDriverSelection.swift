// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The driver through which a camera is used.
public enum CameraDriverKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// V4L2, the kernel's interface. Only one program at a time can use the camera.
    case v4l2
    /// The user's PipeWire daemon, which shares cameras between programs and provides the cameras that need libcamera.
    case pipeWire = "pipewire"
}

/// The driver of a camera, and why it was chosen.
public struct CameraDriverSelection: Sendable, Hashable, Codable {
    /// The reason for a choice.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// This process can open the device node, which gives the lowest latency.
        case nodeIsUsable
        /// This process cannot open the device node, but PipeWire provides the camera.
        case nodeIsNotPermitted
        /// The program runs in a sandbox. PipeWire provides a camera there after the user has granted access.
        case isSandboxed
        /// No other driver has the camera.
        case isOnlyDriver
        /// ``CaptureDevice/preferredDriver`` selects this driver.
        case isPreferred
    }

    /// The driver.
    public let driver: CameraDriverKind
    /// The reason for the choice.
    public let reason: Reason

    /// Creates a selection.
    public init(driver: CameraDriverKind, reason: Reason) {
        self.driver = driver
        self.reason = reason
    }

    /// The driver and the reason as a sentence.
    public var explanation: String {
        let name = driver == .v4l2 ? "V4L2" : "PipeWire"
        return switch reason {
        case .nodeIsUsable: "\(name): the device node can be opened."
        case .nodeIsNotPermitted: "\(name): this process has no permission to open the device node."
        case .isSandboxed: "\(name): the program runs in a sandbox."
        case .isOnlyDriver: "\(name): no other driver has this camera."
        case .isPreferred: "\(name): as requested."
        }
    }
}
