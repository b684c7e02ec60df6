// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The driver by which a camera is reached.
public enum CameraDriverKind: String, Sendable, Hashable, CaseIterable, Codable {
    /// The kernel's interface. The camera belongs to one program at a time.
    case v4l2
    /// The PipeWire daemon of the user, which shares cameras between programs, and has those that need libcamera.
    case pipeWire = "pipewire"
}

/// The driver of a camera, and why it was chosen.
public struct CameraDriverSelection: Sendable, Hashable, Codable {
    /// The reason for a choice.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The device node can be opened, which takes the least time for each frame.
        case nodeIsUsable
        /// The device node cannot be opened by this process, and PipeWire provides the camera.
        case nodeIsNotPermitted
        /// The program runs in a sandbox, where the user is asked before PipeWire provides a camera.
        case isSandboxed
        /// No other driver has the camera.
        case isOnlyDriver
        /// ``CaptureDevice/preferredDriver`` is set.
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
        case .nodeIsNotPermitted: "\(name): this process may not open the device node."
        case .isSandboxed: "\(name): the program runs in a sandbox."
        case .isOnlyDriver: "\(name): no other driver has this camera."
        case .isPreferred: "\(name): as requested."
        }
    }
}
