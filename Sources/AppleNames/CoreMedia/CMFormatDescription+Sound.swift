// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Returns the format of sound, whose address is valid while the description exists; nil for video.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ description: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? { description.streamDescription?.address }

extension CMFormatDescription {
    /// The format of sound; nil for video.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { streamDescription?.address.pointee }
}
