// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// A connection to one destination, from its opening to its end. One thread at a time: the destination's own thread,
/// which may block on the network or the disk until its ``ReadControl`` ends the wait.
protocol BroadcastTransport: AnyObject {
    /// Sends a packet; blocks while the destination accepts none.
    func send(_ packet: EncodedPacket) throws(ObscuraError)
    /// Sends the remaining data and ends the connection, at the end of the broadcast.
    func finish() throws(ObscuraError)
    /// The state of the network connection; nil if unknown.
    var path: NetworkPath? { get }
    /// Number of viewers of the stream; nil if unknown.
    var viewerCount: Int? { get }
    /// Whether a new viewer has requested a key frame since the last call.
    func takeKeyFrameWish() -> Bool
}

extension BroadcastTransport {
    var viewerCount: Int? { nil }
    func takeKeyFrameWish() -> Bool { false }
}

/// The state of the network path to a destination.
struct NetworkPath: Sendable, Hashable {
    /// Round-trip time.
    var roundTrip: Duration?
    /// Number of bytes that were passed on and are not sent yet.
    var unsentBytes = 0
    /// The duration of the data that is not sent yet. A transport sets it only if the protocol reports it directly;
    /// otherwise it is calculated from the bytes.
    var unsentTime: Duration?
    /// Number of messages that were dropped because they were too late.
    var lostMessages = 0
}
