// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia
internal import Synchronization

/// A `for try await` loop over the elements of an output.
protocol ElementLoop<Element>: AnyObject, Sendable {
    associatedtype Element: Sendable
    /// Returns the next element, and counts the previous one as delivered.
    nonisolated(nonsending) func next() async throws(ObscuraError) -> Element?
}

/// The state of one `for try await` loop over an output. Releasing it detaches the reader.
final class ReaderLoop<Reader: ConnectionReader>: ElementLoop {
    typealias Element = Reader.Element

    private let connection: CaptureConnection
    private let reader: Reader
    /// The time when the body of the loop began, in nanoseconds; 0 while it does not run.
    private let bodyBegin = Atomic<Int64>(0)
    /// Retained by the loop, since its settings are evaluated for each frame.
    private let owner: any AnyObject & Sendable

    init(owner: any AnyObject & Sendable, connection: CaptureConnection, reader: Reader) {
        self.owner = owner
        self.connection = connection
        self.reader = reader
        connection.attach(reader)
    }

    deinit {
        finishBody()
        connection.detach(reader)
    }

    nonisolated(nonsending) func next() async throws(ObscuraError) -> Reader.Element? {
        finishBody()
        // A cancellation during a wait detaches the reader itself.
        if Task.isCancelled { connection.detach(reader) }
        while true {
            switch reader.takeReady() {
            case .element(let element, _):
                bodyBegin.store(HostTime.now.nanoseconds, ordering: .relaxed)
                return element
            case .ended(nil):
                return nil
            case .ended(let error?):
                connection.detach(reader)
                throw error
            case .nothing:
                await ready(isolation: #isolation)
            }
        }
    }

    private func finishBody() {
        let begin = bodyBegin.exchange(0, ordering: .relaxed)
        guard begin != 0 else { return }
        reader.finish()
        reader.stages.record(.handling, from: HostTime(nanoseconds: begin), to: .now)
    }

    /// Suspends until there may be a frame to take. Cancelling the task closes the reader, which also resumes the
    /// loop.
    ///
    /// The closure captures the actor to stay on it: on the global executor each frame would switch threads three
    /// times instead of once.
    private func ready(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                _ = actor
                // Unsafe, since a checked one costs as much as the rest; `whenReady(_:)` calls its argument once.
                await withUnsafeContinuation(isolation: actor) { continuation in
                    reader.whenReady(.loop(continuation))
                }
            },
            onCancel: { connection.detach(reader) },
            isolation: actor)
    }
}
