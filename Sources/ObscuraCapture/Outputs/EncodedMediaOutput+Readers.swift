// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension EncodedMediaOutput {
    /// Returns a sequence, each iteration of which is a separate reader.
    func sequence<Reader: EncodedMediaReader>(
        of type: Reader.Type, latePolicy: LateFramePolicy
    ) -> EncodedMediaSequence<Reader.Element> {
        EncodedMediaSequence { [self] in
            let name = nextReader("compressed loop").name
            return ReaderLoop(
                owner: self, connection: connection,
                reader: Reader(name: name, policy: latePolicy, isPrompt: true, onDrop: { _ in }))
        }
    }

    /// Sets a delegate, which is not retained.
    ///
    /// - Parameter gathering: the timer at which elements are delivered; nil delivers each immediately.
    func setDelegate<Reader: EncodedMediaReader, Delegate: EncodedMediaDelegate>(
        _ delegate: Delegate, reading type: Reader.Type, gathering: GatheringTimer?,
        onElement: @escaping @Sendable (Self, Delegate, Reader.Element) -> Void,
        onEnd: @escaping @Sendable (Self, Delegate, ObscuraError?) -> Void
    ) {
        delegateSlot.set(
            EncodedDelegateReader<Reader, Self, Delegate>(
                self, delegate, gathering: gathering, onElement: onElement, onEnd: onEnd))
    }
}
