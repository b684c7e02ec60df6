// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A reader that calls an ``AudioDataOutputDelegate``.
final class AudioDelegateReader: DelegateReader {
    let line: DelegateLine<AudioReader>
    // Both are weak: the output owns this reader, and must not own the delegate.
    private weak let output: AudioDataOutput?
    private weak let delegate: (any AudioDataOutputDelegate)?

    /// Creates a closed reader.
    init(_ output: AudioDataOutput, _ delegate: any AudioDataOutputDelegate, on place: CallbackPlace) {
        line = DelegateLine(output.connection, on: place)
        self.output = output
        self.delegate = delegate
    }

    func owners() -> (AudioDataOutput, any AudioDataOutputDelegate)? {
        guard let output, let delegate else { return nil }
        return (output, delegate)
    }

    func makeReader(
        of output: AudioDataOutput, onDrop: @escaping @Sendable (DroppedFrame) -> Void
    ) -> AudioReader {
        output.makeReader("delegate", onDrop: onDrop)
    }

    func deliver(_ sound: AudioBuffer, of output: AudioDataOutput, to delegate: any AudioDataOutputDelegate) {
        delegate.output(output, didOutput: sound, from: output.connection)
    }

    func report(_ drop: DroppedFrame, of output: AudioDataOutput, to delegate: any AudioDataOutputDelegate) {
        delegate.output(output, didDrop: drop, from: output.connection)
    }

    func end(with error: ObscuraError?, of output: AudioDataOutput, to delegate: any AudioDataOutputDelegate) {
        delegate.output(output, didFinishWith: error)
    }
}
