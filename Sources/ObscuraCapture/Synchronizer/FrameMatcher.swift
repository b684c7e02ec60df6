// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A matcher of the elements of several streams by their times: a pure value.
///
/// The first stream leads: each of its elements makes one set, with the nearest element of each other stream within
/// the tolerance, or none. A set is complete when every other stream has reached the time of the leader's element,
/// has ended, or is too late.
struct FrameMatcher<Element> {
    private struct Stream {
        var waiting: [(time: HostTime, element: Element)] = []
        var newest: HostTime?
        var hasEnded = false
    }

    private var streams: [Stream]
    private var released: [(stream: Int, element: Element)] = []
    private let tolerance: Duration
    private let patience: Duration
    private let limit: Int

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - count: Number of streams.
    ///   - tolerance: The maximum time between the leader's element and another one of the set.
    ///   - patience: The maximum time by which the newest element of any stream may be ahead of a waiting leader.
    ///   - limit: Number of elements queued for each stream; older ones are released.
    init(count: Int, tolerance: Duration, patience: Duration, limit: Int) {
        streams = Array(repeating: Stream(), count: count)
        self.tolerance = tolerance
        self.patience = patience
        self.limit = max(1, limit)
    }

    /// Whether no more sets can follow.
    var isAtEnd: Bool {
        guard let leader = streams.first else { return true }
        return leader.hasEnded && leader.waiting.isEmpty
    }

    func hasEnded(_ stream: Int) -> Bool { streams[stream].hasEnded }

    /// Whether an element can be added without releasing one that may still be needed: of the elements before the
    /// leader's, only the last one can be the nearest.
    func hasRoom(for stream: Int) -> Bool {
        guard streams[stream].waiting.count >= limit else { return true }
        guard stream > 0, let leader = streams[0].waiting.first, let newest = streams[stream].newest else {
            return false
        }
        return newest < leader.time
    }

    /// Whether the leader has ended and its last elements wait for another stream.
    var isWaitingAfterLeader: Bool {
        streams.first.map { $0.hasEnded && !$0.waiting.isEmpty } ?? false
    }

    mutating func add(_ element: Element, at time: HostTime, to stream: Int) {
        streams[stream].waiting.append((time, element))
        streams[stream].newest = time
        if streams[stream].waiting.count > limit { release(1, of: stream) }
    }

    /// Returns the elements released without a set since the last call, with their streams.
    mutating func takeReleased() -> [(stream: Int, element: Element)] {
        defer { released.removeAll() }
        return released
    }

    /// Releases all queued elements.
    mutating func releaseAll() {
        for stream in streams.indices { release(streams[stream].waiting.count, of: stream) }
    }

    mutating func end(_ stream: Int) {
        streams[stream].hasEnded = true
    }

    /// Returns the next set, with an element or nil for each stream; nil when no set is complete yet.
    ///
    /// - Parameter isForced: Whether to use the available elements without waiting for a late stream.
    mutating func next(isForced: Bool = false) -> [Element?]? {
        guard let leader = streams.first?.waiting.first else { return nil }
        let newest = streams.compactMap(\.newest).max() ?? leader.time
        let isLate = isForced || newest - leader.time > patience
        for stream in streams.dropFirst() {
            let isDecided = stream.hasEnded || stream.newest.map { $0 >= leader.time } ?? false
            guard isDecided || isLate else { return nil }
        }
        streams[0].waiting.removeFirst()
        return [leader.element] + streams.indices.dropFirst().map { takeNearest(to: leader.time, from: $0) }
    }

    private mutating func takeNearest(to time: HostTime, from stream: Int) -> Element? {
        let distance = { (candidate: HostTime) in candidate < time ? time - candidate : candidate - time }
        let waiting = streams[stream].waiting
        guard let nearest = waiting.indices.min(by: { distance(waiting[$0].time) < distance(waiting[$1].time) })
        else { return nil }
        guard distance(waiting[nearest].time) <= tolerance else {
            // Elements before the leader's are even further from later ones.
            release(waiting.prefix { $0.time < time }.count, of: stream)
            return nil
        }
        release(nearest, of: stream)
        streams[stream].waiting.removeFirst()
        return waiting[nearest].element
    }

    private mutating func release(_ count: Int, of stream: Int) {
        released += streams[stream].waiting.prefix(count).map { (stream, $0.element) }
        streams[stream].waiting.removeFirst(count)
    }
}
