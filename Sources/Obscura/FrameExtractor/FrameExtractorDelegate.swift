// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

/// Who gets the frames of a ``FrameExtractor`` on the main actor.
///
/// A main actor that is busy loses frames; it never slows the camera.
@MainActor
public protocol FrameExtractorDelegate: AnyObject, Sendable {
    /// A frame, its image already made.
    func extractor(_ extractor: FrameExtractor, didCapture frame: FrameExtractor.Frame)
    /// Frames that the delegate did not get.
    func extractor(_ extractor: FrameExtractor, didDrop drop: DroppedFrame)
    /// Reports that the camera failed, or that a setting was rejected.
    func extractor(_ extractor: FrameExtractor, didFail error: ObscuraError)
    /// The camera started, stopped, was interrupted or came back.
    func extractor(_ extractor: FrameExtractor, didChange state: FrameExtractor.State)
}

extension FrameExtractorDelegate {
    /// Does nothing.
    public func extractor(_ extractor: FrameExtractor, didDrop drop: DroppedFrame) {}
    /// Does nothing.
    public func extractor(_ extractor: FrameExtractor, didFail error: ObscuraError) {}
    /// Does nothing.
    public func extractor(_ extractor: FrameExtractor, didChange state: FrameExtractor.State) {}
}
