// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import ObscuraBase
internal import ObscuraMedia

/// Decodes the frames of one source whose pictures refer to one another, on a thread of its own, before
/// they are routed.
///
/// ```
///   driver ──► backlog ──► decoder ──► routing
///                 │           │
///                 ▼           ▼
///         late, deviceError: up to the next key frame
/// ```
///
/// A driver is never held up by a decoder that is too slow: see ``EncodedBacklog``. Only for a lossless
/// reader it waits, as it does with pictures.
final class DecodeStage: Sendable {
    /// What the stage tells its source, on the thread of the stage or (what is lost) of the driver.
    struct Handlers: Sendable {
        /// A picture is there: the frame, when its compressed frame entered the session, and when the picture
        /// was done.
        let onFrame: @Sendable (VideoFrame, _ arrival: HostTime, _ completion: HostTime) -> Void
        /// A frame will never be a picture.
        let onLoss: @Sendable (_ sequence: UInt64, MediaTime, DropReason) -> Void
        /// All that came before the end of the stream has been told.
        let onEnd: @Sendable (ObscuraError?) -> Void
    }

    private struct State {
        var backlog: EncodedBacklog
        /// The end of the stream, behind what waits.
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

    /// Half a second of a quick camera: who is further behind is better served with the newest.
    static let frameLimit = 16
    static let byteLimit = 16 << 20
    /// More pictures are never under way: no stream may reorder more than 16 (H.264, section A.3.1).
    private static let pendingLimit = 32

    /// - Parameter name: that of the device, for messages.
    init(name: String, decoder: any FrameDecoder, handlers: Handlers) {
        self.name = name
        self.decoder = decoder
        self.handlers = handlers
        state = Lock(State(backlog: EncodedBacklog(frameLimit: Self.frameLimit, byteLimit: Self.byteLimit)))
    }

    /// Starts the thread; called once.
    func start() throws(ObscuraError) {
        guard let worker = WorkerThread(name: "decode", { [self] in run() }) else {
            throw ObscuraError(.capture, .deviceFailed, subject: name, reason: "the system has no threads left")
        }
        thread.withLock { $0 = worker }
    }

    // MARK: The driver's side

    /// Takes a frame in.
    ///
    /// - Parameter waits: blocks while there is no room, instead of leaving frames out.
    func receive(_ frame: EncodedFrame, arrival: HostTime, waits: Bool) {
        if waits {
            // Nobody else takes frames in: the room stays.
            _ = state.wait { $0.isClosed || $0.backlog.hasRoom(for: frame.data.count) ? true : nil }
        }
        tell(
            state.withLockSignalling { state in
                state.isClosed || state.ending != nil ? [] : state.backlog.append(frame, arrival: arrival)
            })
    }

    /// The device lost a frame: those that follow it cannot be decoded without it.
    func breakChain() {
        state.withLock { $0.backlog.breakTail() }
    }

    /// No more frames will come. ``Handlers/onEnd`` is called when all that came before has been told.
    func finish(throwing error: ObscuraError?) {
        state.withLockSignalling { $0.ending = $0.ending ?? Ending(error: error) }
    }

    /// Ends it at once; what waits is of no use to anybody any more. Does not block.
    func close() {
        state.withLockSignalling { $0.isClosed = true }
    }

    /// Waits for the end of the thread, but not past the deadline. Returns whether it ended.
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
        // A driver that waits for room has some now.
        state.withLockSignalling { _ in }
        return work
    }

    /// Returns whether the frames that follow can be decoded too.
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

    /// Brings out what the decoder holds; what it does not give now will never come.
    private func startAnew(_ flow: inout DecodeFlow) {
        _ = hand(decoder.drain(), &flow)
        lose(flow.endAll())
    }

    /// Hands pictures on. Returns whether all of them are whole.
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
