// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Attaches a value to a buffer, and replaces an earlier value of the key.
public func CVBufferSetAttachment(_ buffer: CVBuffer, _ key: CFString, _ value: Any, _ mode: CVAttachmentMode) {
    buffer.setAttachment(CVBuffer.Attachment(value: value, mode: mode), key)
}

/// Returns an attached value; nil if there is none.
///
/// - Parameter mode: receives the mode of the attachment.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ mode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Any? {
    guard let attachment = buffer.attachment(key) else { return nil }
    mode?.pointee = attachment.mode
    return attachment.value
}

/// Returns all attached values of a mode.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ mode: CVAttachmentMode) -> CFDictionary? {
    buffer.attachments(mode)
}

/// Removes an attached value.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    buffer.setAttachment(nil, key)
}
