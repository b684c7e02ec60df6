// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraMedia

/// The decoding of one source's inter-coded frames, on its own thread, before they are routed.
///
/// ```
///   driver ──► backlog ──► decoder ──► routing
///                 │           │
///                 ▼           ▼
///         late, deviceError: up to the next key frame
/// ```
///
/// A slow decoder does not block the driver: see ``EncodedBacklog``. The driver blocks only for a lossless
/// reader, as it does with uncompressed frames.
final class DecodeStage: Sendable {
    /// The callbacks to the source, on the stage's thread; lost frames are also reported on the driver's thread.
    struct Handlers: Sendable {
        /// Receives a decoded frame, with the times when its compressed frame entered the session and when decoding
        /// was completed.
        let onFrame: @Sendable (VideoFrame, _ arrival: HostTime, _ completion: HostTime) -> Void
        /// Reports a frame that cannot be decoded.
        let onLoss: @Sendable (_ sequence: UInt64, MediaTime, DropReason) -> Void
        /// Reports the end of the stream, after all its frames.
        let onEnd: @Sendable (ObscuraError?) -> Void
    }

    private struct State {
        var backlog: EncodedBacklog
        /// The end of the stream, after the queued frames.
        var ending: Ending?
        var isClosed = false
    }

    private struct Ending {
        let error: ObscuraError?
    }

    private enum Work {
        case frame(EncodedBacklog.Entry)
        case end(ObscuraError?)
    }

    private let name: String
    private let decoder: any FrameDecoder
    private let handlers: Handlers
    private let state: Lock<State>
    private let thread = Lock<WorkerThread?>(nil)
    private static let logger = Logger(label: "obscura.decoding")

    /// Number of queued frames, about half a second of video; beyond that, newer frames are preferred.
    static let frameLimit = 16
    static let byteLimit = 16 << 20
    /// Maximum number of frames in the decoder: no stream may reorder more than 16 (H.264, section A.3.1).
    private static let pendingLimit = 32

    /// Creates a stage.
    ///
    /// - Parameter name: The name of the device, used in messages.
    init(name: String, decoder: any FrameDecoder, handlers: Handlers) {
        self.name = name
        self.decoder = decoder
        self.handlers = handlers
        state = Lock(State(backlog: EncodedBacklog(frameLimit: Self.frameLimit, byteLimit: Self.byteLimit)))
    }

    /// Starts the thread. Must be called once.
    func start() throws(ObscuraError) {
        guard let worker = WorkerThread(name: "decode", { [self] in run() }) else {
            throw ObscuraError.noThread(.capture, .deviceFailed, name)
        }
        thread.withLock { $0 = worker }
    }

    // MARK: The driver's side

    /// Queues a frame.
    ///
    /// - Parameter waits: Whether to block while the queue is full, instead of dropping frames.
    func receive(_ frame: EncodedFrame, arrival: HostTime, waits: Bool) {
        if waits {
            // Only this thread queues frames, so there is still room afterwards.
            _ = state.wait { $0.isClosed || $0.backlog.hasRoom(for: frame.data.count) ? true : nil }
        }
        tell(
            state.withLockSignalling { state in
                state.isClosed || state.ending != nil ? [] : state.backlog.append(frame, arrival: arrival)
            })
    }

    /// Reports a frame lost in the device: the frames after it cannot be decoded without it.
    func breakChain() {
        state.withLock { $0.backlog.breakTail() }
    }

    /// Reports a frame that nobody needs decoded: a reader that joins later begins with a key frame.
    func rest() {
        state.withLock { $0.backlog.rest() }
    }

    /// Ends the stream. ``Handlers/onEnd`` is called after all its frames.
    func finish(throwing error: ObscuraError?) {
        state.withLockSignalling { $0.ending = $0.ending ?? Ending(error: error) }
    }

    /// Ends the stage at once and discards the queued frames. Does not block.
    func close() {
        state.withLockSignalling { $0.isClosed = true }
    }

    /// Waits until the thread has ended or the deadline has passed. Returns whether it has ended.
    func join(until deadline: HostTime) -> Bool {
        thread.withLock { $0 }?.join(until: deadline) ?? true
    }

    // MARK: The stage's thread

    private func run() {
        var flow = DecodeFlow(limit: Self.pendingLimit)
        while let work = nextWork() {
            switch work {
            case .end(let error):
                startAnew(&flow)
                return handlers.onEnd(error)
            case .frame(let entry):
                if entry.endsRest {
                    _ = decoder.drain()
                    _ = flow.endAll()
                }
                if entry.startsAnew { startAnew(&flow) }
                if !decode(entry, &flow) {
                    startAnew(&flow)
                    tell(state.withLockSignalling { $0.backlog.breakHead() })
                }
                lose(flow.overdue())
            }
        }
    }

    private func nextWork() -> Work? {
        let work: Work? =
            state.wait { state -> Work?? in
                if state.isClosed { return .some(nil) }
                if let entry = state.backlog.takeFirst() { return .frame(entry) }
                return state.ending.map { .end($0.error) }
            } ?? nil
        // Wakes a driver that waits for room.
        state.withLockSignalling { _ in }
        return work
    }

    /// Decodes a frame. Returns whether the frames after it can be decoded too.
    private func decode(_ entry: EncodedBacklog.Entry, _ flow: inout DecodeFlow) -> Bool {
        let id = flow.begin(entry)
        do throws(ObscuraError) {
            return hand(try decoder.decode(entry.frame, id: id), &flow)
        } catch {
            if flow.mayComplain(now: .now) {
                Self.logger.debug("a frame cannot be decoded", metadata: ["device": "\(name)", "error": "\(error)"])
            }
            lose(flow.end(id).map { [$0] } ?? [])
            return false
        }
    }

    /// Drains the decoder; frames that it does not return are lost.
    private func startAnew(_ flow: inout DecodeFlow) {
        _ = hand(decoder.drain(), &flow)
        lose(flow.endAll())
    }

    /// Passes images on. Returns whether all of them are complete.
    private func hand(_ results: [DecodedFrame], _ flow: inout DecodeFlow) -> Bool {
        var areWhole = true
        for result in results {
            if let picture = result.picture {
                guard let origin = flow.end(result.id, with: picture) else { continue }
                handlers.onFrame(origin.frame, origin.arrival, .now)
            } else {
                areWhole = false
                lose(flow.end(result.id).map { [$0] } ?? [])
            }
        }
        return areWhole
    }

    private func lose(_ origins: [DecodeFlow.Origin]) {
        for origin in origins { handlers.onLoss(origin.sequence, origin.presentationTime, .deviceError) }
    }

    private func tell(_ lost: [EncodedBacklog.Lost]) {
        for loss in lost { handlers.onLoss(loss.frame.sequence, loss.frame.presentationTime, loss.reason) }
    }
}
