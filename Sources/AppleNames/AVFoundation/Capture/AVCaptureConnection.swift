// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// The orientation of the frames of a camera.
public enum AVCaptureVideoOrientation: Int, Sendable {
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    /// Clockwise. Cameras on Linux deliver upright pictures, which is what `portrait` means for a phone in a hand.
    fileprivate var orientation: Orientation {
        switch self {
        case .portrait: .up
        case .landscapeLeft: .right
        case .portraitUpsideDown: .down
        case .landscapeRight: .left
        }
    }
}

/// The stabilization of frames.
public enum AVCaptureVideoStabilizationMode: Int, Sendable {
    case off = 0
    case standard = 1
    case cinematic = 2
    case auto = -1
}

/// The connection of an input to an output, with the orientation of the frames or the volume of the sound.
public final class AVCaptureConnection: NSObject, @unchecked Sendable {  // The connection is Sendable.
    private struct Passing {
        /// As the program has set it.
        var isEnabled = true
        /// Whether the connection is one of its session.
        var isLinked: Bool
    }

    package let connection: CaptureConnection
    /// The output; nil after its end.
    private(set) weak var owner: AnyObject?
    /// The input of a connection that a program has created; nil for others.
    let source: AVCaptureDeviceInput?
    private let passing: Lock<Passing>
    private let adjustsMirroring: Lock<Bool>
    private let preferredStabilization = Lock(AVCaptureVideoStabilizationMode.off)

    init(
        _ connection: CaptureConnection, of owner: AnyObject, adjustsMirroring: Bool,
        source: AVCaptureDeviceInput? = nil
    ) {
        self.connection = connection
        self.adjustsMirroring = Lock(adjustsMirroring)
        self.owner = owner
        self.source = source
        // One that a program has created is in no session yet.
        passing = Lock(Passing(isLinked: source == nil))
    }

    /// Whether media passes through the connection.
    public var isEnabled: Bool {
        get { passing.withLock { $0.isEnabled } }
        set { pass { $0.isEnabled = newValue } }
    }

    /// Notes whether the connection is one of its session. Without that, no media pass.
    func link(_ isLinked: Bool) { pass { $0.isLinked = isLinked } }

    private func pass(_ change: (inout Passing) -> Void) {
        passing.withLock { passing in
            change(&passing)
            connection.isEnabled = passing.isEnabled && passing.isLinked
        }
    }

    /// Whether the connection is enabled and has an input, so that media passes while the session runs.
    public var isActive: Bool { connection.isEnabled && connection.input != nil }

    // MARK: Video

    /// Whether the frames can be rotated; true for video.
    public var isVideoOrientationSupported: Bool { connection.mediaType == .video }

    /// The orientation of the frames. `portrait`, the initial value, delivers them upright. The other values rotate
    /// them relative to this, as on a phone.
    public var videoOrientation: AVCaptureVideoOrientation {
        get {
            switch connection.orientation {
            case .up: .portrait
            case .right: .landscapeLeft
            case .down: .portraitUpsideDown
            case .left: .landscapeRight
            }
        }
        set { connection.orientation = newValue.orientation }
    }

    /// Whether the frames can be rotated by an angle; true for multiples of 90 degrees.
    public func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool {
        connection.mediaType == .video && [0, 90, 180, 270].contains(angle)
    }

    /// The clockwise rotation of the frames, in degrees. As on a phone in portrait, 90 delivers them upright. This is
    /// the initial value. Unsupported angles have no effect.
    public var videoRotationAngle: CGFloat {
        get { CGFloat((connection.orientation.degrees + 90) % 360) }
        set {
            guard isVideoRotationAngleSupported(newValue) else { return }
            connection.orientation = Orientation(degrees: Int(newValue) + 270)
        }
    }

    /// Whether the frames can be mirrored; true for video.
    public var isVideoMirroringSupported: Bool { connection.mediaType == .video }

    /// Whether the frames are mirrored horizontally, after the rotation. Setting this has no effect while
    /// ``automaticallyAdjustsVideoMirroring`` is true.
    public var isVideoMirrored: Bool {
        get { connection.isMirrored }
        set { adjustsMirroring.withLock { if !$0 { connection.isMirrored = newValue } } }
    }

    /// Whether the session mirrors the frames of a front camera, and no others. Initially true for a preview layer, and
    /// false for an output. Set this to false before you set ``isVideoMirrored``.
    public var automaticallyAdjustsVideoMirroring: Bool {
        get { adjustsMirroring.withLock { $0 } }
        set {
            adjustsMirroring.withLock { $0 = newValue }
            adjustMirroring()
        }
    }

    /// Mirrors the pictures as the position of the camera requires, if the program has asked for it.
    func adjustMirroring() {
        adjustsMirroring.withLock { adjusts in
            guard adjusts, let input = connection.input else { return }
            connection.isMirrored = input.device.position == .front
        }
    }

    /// Whether the frames can be stabilized; always false, because the drivers of Linux do not support it.
    public var isVideoStabilizationSupported: Bool { false }

    /// The stabilization of the frames; always `off`.
    public var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode { .off }

    /// The preferred stabilization. Without effect here; see ``activeVideoStabilizationMode``.
    public var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
        get { preferredStabilization.withLock { $0 } }
        set { preferredStabilization.withLock { $0 = newValue } }
    }

    // MARK: Sound

    /// The channels of sound; empty for video, and before the first sound was received.
    public var audioChannels: [AVCaptureAudioChannel] { connection.audioChannels.map(AVCaptureAudioChannel.init) }
}

/// A channel of sound of a connection.
public final class AVCaptureAudioChannel: NSObject, @unchecked Sendable {  // The channel is Sendable.
    private let channel: AudioChannel

    fileprivate init(_ channel: AudioChannel) {
        self.channel = channel
    }

    /// The level, in dBFS: the root mean square.
    public var averagePowerLevel: Float { channel.level.average }
    /// The highest level of the last moments, in dBFS.
    public var peakHoldLevel: Float { channel.level.peakHold }

    /// The volume, from 0 to 1.
    public var volume: Float {
        get { channel.volume }
        set { channel.volume = newValue }
    }

    /// Whether the channel is audible.
    public var isEnabled: Bool {
        get { channel.isEnabled }
        set { channel.isEnabled = newValue }
    }
}
