// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// The codec JPEG; the older name.
public let AVVideoCodecJPEG = AVVideoCodecType.jpeg.rawValue

/// The older output for photos. New programs use ``AVCapturePhotoOutput``.
///
/// A photo is the frame of the moment of the call.
public final class AVCaptureStillImageOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    /// `@unchecked Sendable` is safe because settings are not changed after they were set.
    private struct State: @unchecked Sendable {
        var settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        var format = PhotoFormat.jpeg(quality: nil)
        var isLargest = false
        var captures = 0
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    private let photos: PhotoOutput
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.avfoundation.stills")

    /// Creates an output.
    public init() {
        photos = PhotoOutput(name: "AVCaptureStillImageOutput")
        super.init(photos)
    }

    /// The format of photos. If settings are not supported, nothing is changed, and an error is logged.
    ///
    /// - For a file: `AVVideoCodecKey` with `AVVideoCodecType.jpeg` and, optionally, `AVVideoQualityKey`.
    /// - For pixels: `kCVPixelBufferPixelFormatTypeKey`.
    public var outputSettings: [String: Any] {
        get { state.withLock { $0.settings } }
        set {
            // The older place of the quality.
            var settings = newValue
            if let quality = settings.removeValue(forKey: AVVideoQualityKey) {
                settings[AVVideoCompressionPropertiesKey] = [AVVideoQualityKey: quality]
            }
            guard let format = PhotoFormat.of(settings) else {
                return Self.logger.error("outputSettings: \(newValue) is not supported")
            }
            state.withLock { state in
                state.settings = newValue
                state.format = format
            }
        }
    }

    /// The codecs of files.
    public var availableImageDataCodecTypes: [AVVideoCodecType] { [.jpeg] }
    /// The formats of pixels in memory: each an `NSNumber`.
    public var availableImageDataCVPixelFormatTypes: [NSNumber] { PhotoFormat.pixelTypes.map { NSNumber(value: $0) } }

    /// Whether photos have the largest size of the camera instead of the size of the session. Initially false.
    public var isHighResolutionStillImageOutputEnabled: Bool {
        get { state.withLock { $0.isLargest } }
        set { state.withLock { $0.isLargest = newValue } }
    }

    /// Whether a photo is being taken.
    public var isCapturingStillImage: Bool { state.withLock { $0.captures > 0 } }

    /// Takes a photo. Returns immediately.
    ///
    /// - Parameters:
    ///   - connection: the connection of this output.
    ///   - handler: called on a serial queue of the output, with the photo or an ``AVError``. ``outputSettings``
    ///     determine whether the photo is a file or pixels.
    @preconcurrency
    public func captureStillImageAsynchronously(
        from connection: AVCaptureConnection,
        completionHandler handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void
    ) {
        let pressedAt = HostTime.now
        guard connection.output === self else {
            let error = ObscuraError.invalidSettings(
                .capture, "AVCaptureStillImageOutput", "the connection belongs to another output",
                "Use connection(with: .video) of this output.")
            Self.logger.error("captureStillImageAsynchronously: \(error)")
            return queue.async { handler(nil, AVError(error)) }
        }
        let (format, isLargest) = state.withLock { state in
            state.captures += 1
            return (state.format, state.isLargest)
        }
        var settings = PhotoSettings()
        if case .jpeg(let quality) = format { settings.format = .jpeg(quality: quality) }
        settings.size = isLargest ? .largest : .stream
        settings.orientationPlacement = .exif
        settings.flash = camera?.flashMode.flash ?? .off
        settings.thumbnailSide = nil
        settings.encodes = format.isFile
        settings.keepsFrame = !format.isFile
        Task { [self, settings] in
            let result: Result<CMSampleBuffer, ObscuraError>
            do throws(ObscuraError) {
                result = .success(try await photos.capture(settings, pressedAt: pressedAt).sample(format))
            } catch {
                Self.logger.error("captureStillImageAsynchronously: \(error)")
                result = .failure(error)
            }
            state.withLock { $0.captures -= 1 }
            queue.async {
                switch result {
                case .success(let sample): handler(sample, nil)
                case .failure(let error): handler(nil, AVError(error))
                }
            }
        }
    }

    /// Returns the file of a photo; nil if the sample does not contain a file.
    public static func jpegStillImageNSDataRepresentation(_ jpegSampleBuffer: CMSampleBuffer) -> Data? {
        guard case .file(let bytes) = jpegSampleBuffer.content else { return nil }
        return Data(bytes)
    }
}

extension Photo {
    /// The photo as a sample: its file, or its pixels in a format.
    fileprivate func sample(_ format: PhotoFormat) throws(ObscuraError) -> CMSampleBuffer {
        let timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: CMTime(presentationTime), decodeTimeStamp: .invalid)
        guard case .pixels(let type) = format, let frame else {
            let description = CMFormatDescription(video: kCMVideoCodecType_JPEG, size: size)
            return CMSampleBuffer(.file(data), formatDescription: description, timing: timing)
        }
        do {
            let pixels = try frame.buffer.converted(type, nil)
            return CMSampleBuffer(
                .image(CVBuffer(pixels)), formatDescription: CMFormatDescription(video: type, size: pixels.size),
                timing: timing)
        } catch {
            throw ObscuraError(wrapping: error, as: .capture, .codecFailed, subject: "AVCaptureStillImageOutput")
        }
    }
}
