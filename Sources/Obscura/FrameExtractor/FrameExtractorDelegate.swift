// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

/// A receiver of the frames of a ``FrameExtractor``, called on the main actor.
///
/// If the main actor is busy, frames are dropped; the camera is not slowed down.
@MainActor
public protocol FrameExtractorDelegate: AnyObject, Sendable {
    /// Delivers a frame with its image.
    func extractor(_ extractor: FrameExtractor, didCapture frame: FrameExtractor.Frame)
    /// Reports dropped frames.
    func extractor(_ extractor: FrameExtractor, didDrop drop: DroppedFrame)
    /// Reports that the camera failed, or that a setting was rejected.
    func extractor(_ extractor: FrameExtractor, didFail error: ObscuraError)
    /// Reports that the camera started, stopped, was interrupted or resumed.
    func extractor(_ extractor: FrameExtractor, didChange state: FrameExtractor.State)
}

extension FrameExtractorDelegate {
    /// The default implementation, which does nothing.
    public func extractor(_ extractor: FrameExtractor, didDrop drop: DroppedFrame) {}
    /// The default implementation, which does nothing.
    public func extractor(_ extractor: FrameExtractor, didFail error: ObscuraError) {}
    /// The default implementation, which does nothing.
    public func extractor(_ extractor: FrameExtractor, didChange state: FrameExtractor.State) {}
}
