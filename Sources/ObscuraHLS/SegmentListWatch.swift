// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore
internal import NIOPosix
internal import ObscuraBase
internal import ObscuraBroadcast
internal import ObscuraMedia
internal import ObscuraWeb

/// Reads the media playlist for requests, and delays those for a segment that does not exist yet.
///
/// A delayed request is answered within three times the longest segment (RFC 8216bis, 6.2.5.2) or ``longestWait``;
/// their number is limited to ``mostWaiting``. While there are any, the file is polled once for all of them.
final class SegmentListWatch: Sendable {
    enum Answer: Sendable, Equatable {
        case list(SegmentList)
        /// There is no playlist.
        case notThereYet
        /// The requested segment is too far in the future.
        case tooFar
        /// The segment was not created in time, or too many requests wait.
        case tooLate
    }

    private struct Waiter {
        let number: Int
        let deadline: NIODeadline
        let continuation: CheckedContinuation<SegmentList?, Never>
    }

    private struct State {
        var waiters: [Waiter] = []
        var timer: RepeatedTask?
        var isLooking = false
        var isClosed = false

        /// Removes and returns the matching waiters; polling stops when none is left.
        mutating func takeWaiters(where isMeant: (Waiter) -> Bool) -> [Waiter] {
            let taken = waiters.filter(isMeant)
            waiters.removeAll(where: isMeant)
            if waiters.isEmpty {
                timer?.cancel()
                timer = nil
            }
            return taken
        }
    }

    /// Maximum number of waiting requests, each of which holds a connection.
    static let mostWaiting = 256
    static let longestWait = Duration.seconds(12)
    /// Polling interval: a small fraction of a segment's duration.
    private static let interval = Duration.milliseconds(25)

    private let folder: HLSDirectory
    private let mostWaiting: Int
    private let longestWait: Duration
    private let state = Lock(State())

    init(_ folder: HLSDirectory, mostWaiting: Int = mostWaiting, longestWait: Duration = longestWait) {
        self.folder = folder
        self.mostWaiting = mostWaiting
        self.longestWait = longestWait
    }

    /// Number of waiting requests.
    var waitingCount: Int { state.withLock(\.waiters.count) }

    /// Returns the current playlist or, with a number, waits until it contains that segment.
    func list(reaching number: Int?) async throws -> Answer {
        let list = try await NIOThreadPool.singleton.runIfActive { self.read() }
        guard let number, list?.reaches(number) != true else { return list.map(Answer.list) ?? .notThereYet }
        if let list, number > list.last + 2 { return .tooFar }
        let limit = min(longestWait, (list?.targetDuration ?? .seconds(1)) * 3)
        if let reached = await waited(for: number, until: .now() + TimeAmount(limit)) { return .list(reached) }
        return list == nil ? .notThereYet : .tooLate
    }

    /// Ends all waits with the current playlist. Later requests do not wait.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.takeWaiters { _ in true }
        }
        guard !waiters.isEmpty else { return }
        let list = read()
        for waiter in waiters { waiter.continuation.resume(returning: list) }
    }

    private func waited(for number: Int, until deadline: NIODeadline) async -> SegmentList? {
        await withCheckedContinuation { continuation in
            let isTaken = state.withLock { state in
                guard !state.isClosed, state.waiters.count < mostWaiting else { return false }
                state.waiters.append(Waiter(number: number, deadline: deadline, continuation: continuation))
                state.timer = state.timer ?? Timers.every(Self.interval) { [weak self] in self?.lookSoon() }
                return true
            }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }

    /// Reads the file soon, on a thread that may block on a disk.
    private func lookSoon() {
        let isDue = state.withLock { state in
            guard !state.isLooking, !state.waiters.isEmpty else { return false }
            state.isLooking = true
            return true
        }
        if isDue { NIOThreadPool.singleton.submit { [self] _ in look() } }
    }

    private func look() {
        let list = read()
        let now = NIODeadline.now()
        let (reached, late) = state.withLock { state in
            state.isLooking = false
            let reached = state.takeWaiters { list?.reaches($0.number) == true }
            return (reached, state.takeWaiters { $0.deadline <= now })
        }
        for waiter in reached { waiter.continuation.resume(returning: list) }
        for waiter in late { waiter.continuation.resume(returning: nil) }
    }

    private func read() -> SegmentList? {
        guard let file = try? folder.opened?.open(HLSName.media.text), file.status.size <= 1 << 20,
            let bytes = try? file.read(at: 0, count: Int(file.status.size))
        else { return nil }
        return SegmentList(String(decoding: bytes, as: UTF8.self))
    }
}
