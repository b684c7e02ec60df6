// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A reader of compressed media that calls an ``EncodedMediaDelegate``.
final class EncodedDelegateReader<
    Reader: EncodedMediaReader, Output: EncodedMediaOutput, Delegate: EncodedMediaDelegate
>: DelegateReader {
    let line: DelegateLine<Reader>
    // Both are weak: the output owns this reader, and must not own the delegate.
    private weak let output: Output?
    private weak let delegate: Delegate?
    private let onElement: @Sendable (Output, Delegate, Reader.Element) -> Void
    private let onEnd: @Sendable (Output, Delegate, ObscuraError?) -> Void

    /// Creates a closed reader.
    ///
    /// - Parameters:
    ///   - gathering: The timer at which elements are delivered; nil delivers each immediately.
    ///   - onElement: Delivers an element to the delegate.
    ///   - onEnd: Reports the end of the elements to the delegate.
    init(
        _ output: Output, _ delegate: Delegate, gathering: GatheringTimer?,
        onElement: @escaping @Sendable (Output, Delegate, Reader.Element) -> Void,
        onEnd: @escaping @Sendable (Output, Delegate, ObscuraError?) -> Void
    ) {
        line = DelegateLine(output.connection, on: .queue(nil), gathering: gathering)
        self.output = output
        self.delegate = delegate
        self.onElement = onElement
        self.onEnd = onEnd
        deliverGathered()
    }

    func owners() -> (Output, Delegate)? {
        guard let output, let delegate else { return nil }
        return (output, delegate)
    }

    func makeReader(of output: Output, onDrop: @escaping @Sendable (DroppedFrame) -> Void) -> Reader {
        let (name, policy) = output.nextReader("delegate")
        return Reader(name: name, policy: policy, isPrompt: line.gathering == nil, onDrop: onDrop)
    }

    func deliver(_ element: Reader.Element, of output: Output, to delegate: Delegate) {
        onElement(output, delegate, element)
    }

    /// Does nothing: the ledger counts them, and nobody else asks.
    func report(_ drop: DroppedFrame, of output: Output, to delegate: Delegate) {}

    func end(with error: ObscuraError?, of output: Output, to delegate: Delegate) {
        onEnd(output, delegate, error)
    }
}
