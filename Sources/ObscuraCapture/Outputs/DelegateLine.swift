// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase
internal import ObscuraMedia

/// The state of a ``DelegateReader``: its reader, its running callback, and where it calls.
final class DelegateLine<Reader: ConnectionReader>: Sendable {
    struct State {
        var reader: Reader?
        var drops = DropReports()
        /// The number of the running callback; nil while none runs.
        var running: UInt64?
        var callbacks: UInt64 = 0
        /// How many stops of the session the running callback waits for.
        var awaitedStops = 0
        /// Whether a thread is to handle what is pending, so that there is at most one job on the queue.
        var isScheduled = false
        /// Whether a thread handles what is pending; used without a queue.
        var isHandling = false
    }

    let name: String
    // Weak, since the output of the connection owns this.
    weak let connection: CaptureConnection?
    /// Nil for the thread of arrival.
    let queue: DispatchQueue?
    /// The timer at which the elements that were gathered are delivered; nil delivers each immediately.
    let gathering: GatheringTimer?
    let state = Lock(State())

    /// Creates the state without a reader.
    ///
    /// - Parameters:
    ///   - connection: The connection to read.
    ///   - place: The place where the callbacks run.
    ///   - gathering: The timer at which elements are delivered, on its thread instead of `place`; nil delivers each
    ///     immediately.
    init(_ connection: CaptureConnection, on place: CallbackPlace, gathering: GatheringTimer? = nil) {
        name = connection.outputName
        self.connection = connection
        queue =
            switch place {
            case .queue(let target): DispatchQueue(label: "obscura.\(name)", target: target)
            case .arrival: nil
            }
        self.gathering = gathering
    }
}
