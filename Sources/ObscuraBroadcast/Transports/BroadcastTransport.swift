// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// A way to one destination, from its opening to its end. One thread at a time: the destination's own, which may wait
/// for the network or the disk. Where it waits, its ``ReadControl`` ends that.
protocol BroadcastTransport: AnyObject {
    /// Hands a packet on; waits while the destination takes none.
    func send(_ packet: EncodedPacket) throws(ObscuraError)
    /// The broadcast is over: what is held goes out, and the end is told.
    func finish() throws(ObscuraError)
    /// What the network tells of the way; nil where nothing does.
    var path: NetworkPath? { get }
    /// How many get what is handed on; nil where that is not known.
    var viewerCount: Int? { get }
    /// Whether somebody new waits for a key frame, since the last call.
    func takeKeyFrameWish() -> Bool
}

extension BroadcastTransport {
    var viewerCount: Int? { nil }
    func takeKeyFrameWish() -> Bool { false }
}

/// What is known of the way to a destination.
struct NetworkPath: Sendable, Hashable {
    /// There and back.
    var roundTrip: Duration?
    /// Bytes that have been handed over and are not sent yet.
    var unsentBytes = 0
    /// For how long what has been handed over is not sent yet, where that is known by itself.
    var unsentTime = Duration.zero
    /// How many messages were given up, because they came too late.
    var lostMessages = 0
}
