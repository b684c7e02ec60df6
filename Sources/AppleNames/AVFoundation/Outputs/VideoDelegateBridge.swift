// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Passes the frames of an output to a delegate with Apple's types.
final class VideoDelegateBridge: VideoDataOutputDelegate {
    /// `@unchecked Sendable` is safe because the lock protects the references, and the delegate itself is used only on
    /// the queue that its owner has chosen.
    private struct State: @unchecked Sendable {
        weak var owner: AVCaptureOutput?
        weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        /// The format of the last frame: consecutive frames have the same object.
        var format: CMFormatDescription?
    }

    private let state = Lock(State())

    var owner: AVCaptureOutput? {
        get { state.withLock { $0 }.owner }
        set { state.withLock { $0.owner = newValue } }
    }
    var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { state.withLock { $0 }.delegate }
    var queue: DispatchQueue? { state.withLock { $0.queue } }

    func set(_ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, _ queue: DispatchQueue?) {
        state.withLock { state in
            state.delegate = delegate
            state.queue = queue
        }
    }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        let state = state.withLock { $0 }
        guard let owner = state.owner, let delegate = state.delegate else { return }
        let sample = CMSampleBuffer(frame, pixels: frame.buffer, format(of: frame.buffer))
        delegate.captureOutput(owner, didOutput: sample, from: owner.connection(connection))
    }

    func output(_ output: VideoDataOutput, didDrop drop: DroppedFrame, from connection: CaptureConnection) {
        let state = state.withLock { $0 }
        guard let owner = state.owner, let delegate = state.delegate else { return }
        let timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: CMTime(drop.presentationTime), decodeTimeStamp: .invalid)
        for _ in 0..<drop.count {
            let sample = CMSampleBuffer(.nothing, formatDescription: state.format, timing: timing)
            sample.setAttachment(drop.reason.attachment, kCMSampleBufferAttachmentKey_DroppedFrameReason)
            delegate.captureOutput(owner, didDrop: sample, from: owner.connection(connection))
        }
    }

    private func format(of picture: PixelBuffer) -> CMFormatDescription {
        state.withLock { state in
            let format = CMFormatDescription.of(picture, last: state.format)
            state.format = format
            return format
        }
    }
}

extension DropReason {
    /// The value of the attachment with the reason.
    fileprivate var attachment: CFString {
        switch self {
        case .late: kCMSampleBufferDroppedFrameReason_FrameWasLate
        case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
        default: kCMSampleBufferDroppedFrameReason_Discontinuity
        }
    }
}
