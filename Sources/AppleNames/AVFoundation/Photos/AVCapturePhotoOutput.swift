// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// Receives the events of a capture, on a serial queue of the output, in the order of the methods below. All methods have
/// a default that does nothing.
///
/// The output retains the delegate until the capture has ended.
public protocol AVCapturePhotoCaptureDelegate: NSObjectProtocol {
    /// The capture begins, and its settings are known.
    func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The exposure begins: the time for the sound of a shutter.
    func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The exposure has ended.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The photo is complete, or the capture failed, maybe before it began. `error` is then the reason, and the photo
    /// has neither a file nor pixels.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?)
    /// The capture has ended. Called once for each capture, even if it failed before it began.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?)
}

extension AVCapturePhotoCaptureDelegate {
    /// The default: does nothing.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    /// The default: does nothing.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    /// The default: does nothing.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) {}
    /// The default: does nothing.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {}
    /// The default: does nothing.
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {}
}

/// An output that takes photos while the session runs.
///
/// The output keeps the last frames. A photo is the frame of the moment when ``capturePhoto(with:delegate:)`` is
/// called.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    /// The balance of speed and quality.
    public typealias QualityPrioritization = AVCapturePhotoQualityPrioritization

    private struct State {
        var isHighResolutionEnabled = false
        var maxDimensions = CMVideoDimensions()
        var maxQuality = QualityPrioritization.balanced
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    private let photos: PhotoOutput
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "obscura.avfoundation.photos")

    /// Creates an output.
    public init() {
        photos = PhotoOutput(name: "AVCapturePhotoOutput")
        super.init(photos)
    }

    // MARK: Captures

    /// Takes a photo. Returns immediately. Several captures can run at the same time.
    ///
    /// - Parameters:
    ///   - settings: the settings, which must not be used for another photo.
    ///   - delegate: receives the photo; retained until the capture has ended.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        let pressedAt = HostTime.now
        let client = PhotoClient(delegate, of: self, on: queue)
        let plan: PhotoPlan
        do throws(ObscuraError) {
            guard settings.use() else {
                throw .invalidSettings(
                    .capture, "photo settings", "the settings were used for another photo",
                    "Create new settings for each photo, or copy them with AVCapturePhotoSettings(from:).")
            }
            plan = try PhotoPlan(settings, within: limits(for: settings))
        } catch {
            Self.logger.error("capturePhoto: \(error)")
            return client.fail(PhotoPlan.nothing(settings.uniqueID), AVError(error))
        }
        client.begin(plan.resolved)
        Task { [photos] in
            do throws(ObscuraError) {
                let photo = try await photos.capture(plan.settings, pressedAt: pressedAt)
                client.finish(try await plan.finish(photo))
            } catch {
                Self.logger.error("capturePhoto: \(error)")
                client.fail(plan.resolved, AVError(error))
            }
        }
    }

    /// Checks whether photos with some settings can be taken now. No other preparation is needed, because the output
    /// keeps the last frames.
    ///
    /// - Parameters:
    ///   - preparedPhotoSettingsArray: the settings, which can still be used for a photo.
    ///   - completionHandler: called on an arbitrary queue, with true, or with false and an error.
    @preconcurrency
    public func setPreparedPhotoSettingsArray(
        _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
        completionHandler: (@Sendable (_ prepared: Bool, _ error: (any Error)?) -> Void)? = nil
    ) {
        var failure: AVError?
        do throws(ObscuraError) {
            for settings in preparedPhotoSettingsArray { _ = try PhotoPlan(settings, within: limits(for: settings)) }
        } catch {
            Self.logger.error("setPreparedPhotoSettingsArray: \(error)")
            failure = AVError(error)
        }
        // A handler may block, as those of queues do.
        DispatchQueue.global().async { [failure] in completionHandler?(failure == nil, failure) }
    }

    // MARK: Limits

    /// Whether settings can request the largest size of the camera. Initially false.
    public var isHighResolutionCaptureEnabled: Bool {
        get { state.withLock { $0.isHighResolutionEnabled } }
        set { state.withLock { $0.isHighResolutionEnabled = newValue } }
    }

    /// The largest size of photos: one of `supportedMaxPhotoDimensions` of the active format. Initially the size of the
    /// session, which zero restores. For a photo of a larger size, the camera can change its mode, which interrupts the
    /// other outputs for a moment.
    public var maxPhotoDimensions: CMVideoDimensions {
        get {
            let limit = state.withLock { $0.maxDimensions }
            return limit.area > 0 ? limit : camera?.activeFormat.formatDescription.dimensions ?? CMVideoDimensions()
        }
        set {
            let known = camera?.activeFormat.supportedMaxPhotoDimensions
            guard newValue.area == 0 || known.map({ $0.contains(newValue) }) ?? true else {
                return Self.logger.error("maxPhotoDimensions: \(newValue) is not a size of the active format")
            }
            state.withLock { $0.maxDimensions = newValue }
        }
    }

    /// The highest quality that settings should prefer. Without effect; see
    /// ``AVCapturePhotoSettings/photoQualityPrioritization``.
    public var maxPhotoQualityPrioritization: QualityPrioritization {
        get { state.withLock { $0.maxQuality } }
        set { state.withLock { $0.maxQuality = newValue } }
    }

    private func limits(for settings: AVCapturePhotoSettings) -> PhotoLimits {
        // The camera is opened to look for a flash, which a photo without one need not wait for.
        PhotoLimits(
            format: camera?.activeFormat, takesFlash: settings.flashMode == .off || camera?.hasFlash == true,
            isHighResolutionEnabled: isHighResolutionCaptureEnabled, maxDimensions: maxPhotoDimensions)
    }

    // MARK: Abilities

    /// The flash modes that the camera supports.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
        camera?.hasFlash == true ? [.off, .on, .auto] : [.off]
    }

    /// The codecs of files.
    public var availablePhotoCodecTypes: [AVVideoCodecType] { [.jpeg] }
    /// The types of files.
    public var availablePhotoFileTypes: [AVFileType] { [.jpg] }
    /// The formats of pixels in memory.
    public var availablePhotoPixelFormatTypes: [OSType] { PhotoFormat.pixelTypes }
    /// The formats of unprocessed data of the sensor: none.
    public var availableRawPhotoPixelFormatTypes: [OSType] { [] }

    /// Returns the codecs for a type of file.
    public func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
        fileType == .jpg ? availablePhotoCodecTypes : []
    }

    /// Whether a photo can have a movie of the moments around it; always false.
    public var isLivePhotoCaptureSupported: Bool { false }
    /// Whether photos have a movie of the moments around them; always false. Setting it to true has no effect, and logs
    /// an error.
    public var isLivePhotoCaptureEnabled: Bool {
        get { false }
        set { if newValue { Self.logger.error("isLivePhotoCaptureEnabled: live photos are not supported") } }
    }
    /// Whether a photo can have depth data; always false.
    public var isDepthDataDeliverySupported: Bool { false }
}

/// Calls the delegate of a photo on the queue of the output.
private struct PhotoClient: Sendable {
    /// `@unchecked Sendable` is safe because the delegate is used on the queue only.
    private struct Receiver: @unchecked Sendable {
        let delegate: any AVCapturePhotoCaptureDelegate
    }

    private let receiver: Receiver
    private let output: AVCapturePhotoOutput
    private let queue: DispatchQueue

    init(_ delegate: any AVCapturePhotoCaptureDelegate, of output: AVCapturePhotoOutput, on queue: DispatchQueue) {
        receiver = Receiver(delegate: delegate)
        self.output = output
        self.queue = queue
    }

    func begin(_ settings: AVCaptureResolvedPhotoSettings) {
        call { delegate in
            delegate.photoOutput(output, willBeginCaptureFor: settings)
            delegate.photoOutput(output, willCapturePhotoFor: settings)
        }
    }

    func finish(_ photo: AVCapturePhoto) {
        call { delegate in
            delegate.photoOutput(output, didCapturePhotoFor: photo.resolvedSettings)
            delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: nil)
            delegate.photoOutput(output, didFinishCaptureFor: photo.resolvedSettings, error: nil)
        }
    }

    func fail(_ settings: AVCaptureResolvedPhotoSettings, _ error: AVError) {
        call { delegate in
            delegate.photoOutput(output, didFinishProcessingPhoto: AVCapturePhoto(failed: settings), error: error)
            delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
        }
    }

    private func call(_ body: @escaping @Sendable (any AVCapturePhotoCaptureDelegate) -> Void) {
        queue.async { body(receiver.delegate) }
    }
}
