// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Whether an attachment is passed on to buffers that are made from a buffer. Without effect here.
public typealias CMAttachmentMode = UInt32

/// The attachment is not passed on.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment is passed on.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// The reason why a frame was dropped: one of the `kCMSampleBufferDroppedFrameReason` values.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// The receiver was busy.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// The receiver already holds the maximum number of frames.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// Frames were lost or damaged before they were delivered.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"

/// Returns a value that is attached to a sample buffer; nil if there is none.
///
/// - Parameter mode: receives ``kCMAttachmentMode_ShouldPropagate`` for each attachment: modes are not stored.
public func CMGetAttachment(
    _ buffer: CMSampleBuffer, key: CFString, attachmentModeOut mode: UnsafeMutablePointer<CMAttachmentMode>?
) -> Any? {
    guard let value = buffer.attachment(key) else { return nil }
    mode?.pointee = kCMAttachmentMode_ShouldPropagate
    return value
}

/// Attaches a value to a sample buffer, and replaces an earlier value of the key; nil removes the value.
///
/// - Parameter attachmentMode: without effect.
public func CMSetAttachment(
    _ buffer: CMSampleBuffer, key: CFString, value: Any?, attachmentMode: CMAttachmentMode
) {
    buffer.setAttachment(value, key)
}
