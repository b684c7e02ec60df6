// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The media that one output captured at the time of a collection.
public class AVCaptureSynchronizedData: NSObject, @unchecked Sendable {  // Its property is a constant.
    /// The time of the media.
    public let timestamp: CMTime

    init(timestamp: CMTime) {
        self.timestamp = timestamp
    }
}

/// The frame of an output.
public final class AVCaptureSynchronizedSampleBufferData: AVCaptureSynchronizedData, @unchecked Sendable {
    // `@unchecked Sendable` is safe because its property is a constant.

    /// The frame.
    public let sampleBuffer: CMSampleBuffer

    init(_ sampleBuffer: CMSampleBuffer) {
        self.sampleBuffer = sampleBuffer
        super.init(timestamp: sampleBuffer.presentationTimeStamp)
    }

    /// Whether the frame was dropped; always false. If an output has no frame, the collection has no data for it.
    public var sampleBufferWasDropped: Bool { sampleBuffer.imageBuffer == nil }
    /// The reason why the frame was dropped; always `none`.
    public var droppedReason: AVCaptureOutput.DataDroppedReason { .none }
}
