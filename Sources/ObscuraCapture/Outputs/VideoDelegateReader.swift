// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A reader that calls a ``VideoDataOutputDelegate``.
final class VideoDelegateReader: DelegateReader {
    let line: DelegateLine<FrameReader>
    // Both are weak: the output owns this reader, and must not own the delegate.
    private weak let output: VideoDataOutput?
    private weak let delegate: (any VideoDataOutputDelegate)?

    /// Creates a closed reader.
    init(_ output: VideoDataOutput, _ delegate: any VideoDataOutputDelegate, on place: CallbackPlace) {
        line = DelegateLine(output.connection, on: place)
        self.output = output
        self.delegate = delegate
    }

    func owners() -> (VideoDataOutput, any VideoDataOutputDelegate)? {
        guard let output, let delegate else { return nil }
        return (output, delegate)
    }

    func makeReader(
        of output: VideoDataOutput, onDrop: @escaping @Sendable (DroppedFrame) -> Void
    ) -> FrameReader {
        output.makeReader("delegate", onDrop: onDrop)
    }

    func deliver(_ frame: VideoFrame, of output: VideoDataOutput, to delegate: any VideoDataOutputDelegate) {
        delegate.output(output, didOutput: frame, from: output.connection)
    }

    func report(_ drop: DroppedFrame, of output: VideoDataOutput, to delegate: any VideoDataOutputDelegate) {
        delegate.output(output, didDrop: drop, from: output.connection)
    }

    func end(with error: ObscuraError?, of output: VideoDataOutput, to delegate: any VideoDataOutputDelegate) {
        delegate.output(output, didFinishWith: error)
    }
}
