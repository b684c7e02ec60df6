// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// An output that delivers frames to a delegate.
///
/// By default, frames are 4:2:0 with two planes (`kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange`), as on a phone,
/// whatever format the camera delivers. Their size is that of the camera's mode.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    /// As many frames as an app may hold at once before others are dropped.
    private static let leaseLimit = 16
    /// The frames that wait for a delegate that must not miss any for a moment.
    private static let waiting = 16
    private static let logger = Logger(label: "obscura.avfoundation")

    let video: VideoDataOutput
    private let bridge = VideoDelegateBridge()
    /// Whether a synchronizer delivers the frames.
    private let isSynchronized = Lock(false)

    /// Creates an output.
    public init() {
        video = VideoDataOutput(
            name: "AVCaptureVideoDataOutput", pixelFormat: .nv12, latePolicy: .latest, leaseLimit: Self.leaseLimit)
        super.init(video)
        bridge.owner = self
    }

    /// Sets the delegate, which is not retained.
    ///
    /// - Parameters:
    ///   - delegate: receives the frames; nil for none.
    ///   - queue: the serial queue on which the delegate is called; nil for a queue of the output.
    public func setSampleBufferDelegate(
        _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
    ) {
        bridge.set(delegate, queue)
        attachDelegate()
    }

    /// Lets a synchronizer deliver the frames instead of the delegate, or the delegate again.
    func synchronize(_ isSynchronized: Bool) {
        self.isSynchronized.withLock { $0 = isSynchronized }
        attachDelegate()
    }

    private func attachDelegate() {
        let isCalled = bridge.delegate != nil && !isSynchronized.withLock { $0 }
        video.setDelegate(isCalled ? bridge : nil, queue: bridge.queue)
    }

    /// The delegate.
    public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { bridge.delegate }
    /// The queue on which the delegate is called; nil for a queue of the output.
    public var sampleBufferCallbackQueue: DispatchQueue? { bridge.queue }

    /// Whether only the newest frame waits while the delegate is busy. If false, several frames can wait. If there are
    /// too many, the oldest one is dropped.
    public var alwaysDiscardsLateVideoFrames: Bool {
        get { video.latePolicy == .latest }
        set {
            guard newValue != alwaysDiscardsLateVideoFrames else { return }
            video.latePolicy = newValue ? .latest : .bounded(Self.waiting)
            // A reader keeps the policy with which it began.
            if bridge.delegate != nil { attachDelegate() }
        }
    }

    /// The pixel formats that can be requested with ``videoSettings``.
    public var availableVideoPixelFormatTypes: [OSType] { OSType.deliveredFormats }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The pixel format (`kCVPixelBufferPixelFormatTypeKey`) and the size (`kCVPixelBufferWidthKey` and
    /// `kCVPixelBufferHeightKey`, both or none) of the frames. An empty dictionary or nil restores the default. If a
    /// value is not supported, nothing is changed, and an error is logged.
    public var videoSettings: [String: Any]! {
        get {
            var settings: [String: Any] = [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: pixelFormatType)]
            if let size = video.size {
                settings[kCVPixelBufferWidthKey] = NSNumber(value: size.width)
                settings[kCVPixelBufferHeightKey] = NSNumber(value: size.height)
            }
            return settings
        }
        set { apply(newValue ?? [:]) }
    }

    /// Returns settings for an `AVAssetWriterInput` that records the frames of this output: H.264 in their size.
    ///
    /// - Returns: nil if there is no camera, or the file type is not a movie.
    public func recommendedVideoSettingsForAssetWriter(writingTo type: AVFileType) -> [String: Any]? {
        guard [.mov, .mp4, .m4v].contains(type), let connection = connection(with: .video)?.connection else {
            return nil
        }
        var size = video.size
        if size == nil, let mode = camera?.activeFormat.modes.first {
            let isUpright = [0, 180].contains(connection.orientation.degrees)
            size = isUpright ? mode.size : PixelSize(width: mode.height, height: mode.width)
        }
        guard let size else { return nil }
        return [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: size.width, AVVideoHeightKey: size.height]
    }

    private var pixelFormatType: OSType {
        switch video.pixelFormat {
        case .bgra: kCVPixelFormatType_32BGRA
        case _ where video.colorSpace?.range == .full: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        default: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        }
    }

    private func apply(_ settings: [String: Any]) {
        var type = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        if let wanted = settings[kCVPixelBufferPixelFormatTypeKey] {
            guard let number = SettingValue.integer(wanted), let wanted = OSType(exactly: number),
                availableVideoPixelFormatTypes.contains(wanted)
            else { return Self.logger.error("videoSettings: the pixel format \(wanted) is not supported") }
            type = wanted
        }
        var size: PixelSize?
        let sides = [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey].compactMap { settings[$0] }
        let numbers = sides.compactMap(SettingValue.integer).filter { (1...32768).contains($0) }
        if numbers.count == 2 {
            size = PixelSize(width: numbers[0], height: numbers[1])
        } else if !sides.isEmpty {
            return Self.logger.error("videoSettings: the size needs a width and a height of 1 to 32768")
        }
        video.pixelFormat = type == kCVPixelFormatType_32BGRA ? .bgra : .nv12
        video.colorSpace = type == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange ? .jpeg : nil
        video.size = size
    }
}
