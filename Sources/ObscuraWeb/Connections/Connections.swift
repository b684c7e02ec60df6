// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import ObscuraBase
internal import ObscuraMedia

/// The open connections: enforces their maximum number, and closes all of them.
package final class Connections: Sendable {
    /// Numbers of connections.
    package struct Counts: Sendable, Equatable {
        package var open = 0
        package var sockets = 0
        /// Number of accepted connections.
        package var accepted = 0
        /// Number of connections that were closed at once because there were too many.
        package var refused = 0
        /// Number of connections that a time limit closed, by reason.
        package var cutOff: [ConnectionTimes.Expiry: Int] = [:]
    }

    private struct State {
        /// Maximum number of open connections.
        var most: Int
        var channels: [ObjectIdentifier: any Channel] = [:]
        var peers: [Peer: Int] = [:]
        var counts = Counts()
    }

    private let limits: RequestLimits
    private let state: Lock<State>

    package init(limits: RequestLimits) {
        self.limits = limits
        state = Lock(State(most: limits.connections))
    }

    /// Lowers the maximum number of open connections.
    package func limit(to most: Int) {
        state.withLock { $0.most = min($0.most, most) }
    }

    package var counts: Counts { state.withLock(\.counts) }

    /// Counts a new connection until it closes; returns false if there are too many.
    ///
    /// A connection above the limit must be closed rather than left in the kernel's queue, where it would block later
    /// ones. The time limits make sure that places become free.
    package func admit(_ channel: any Channel) -> Bool {
        let peer = Peer(channel.remoteAddress)
        let identifier = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            state.counts.accepted += 1
            let ofPeer = state.peers[peer, default: 0]
            guard state.counts.open < state.most, peer.isLoopback || ofPeer < limits.connectionsPerPeer else {
                state.counts.refused += 1
                return false
            }
            state.counts.open += 1
            state.peers[peer] = ofPeer + 1
            state.channels[identifier] = channel
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { [state] _ in
            state.withLock { state in
                state.counts.open -= 1
                state.channels[identifier] = nil
                let left = (state.peers[peer] ?? 1) - 1
                state.peers[peer] = left > 0 ? left : nil
            }
        }
        return true
    }

    /// Counts a WebSocket until its connection closes; returns false if there are too many.
    package func admitSocket(_ channel: any Channel) -> Bool {
        let isAdmitted = state.withLock { state in
            guard state.counts.sockets < limits.sockets else { return false }
            state.counts.sockets += 1
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { [state] _ in state.withLock { $0.counts.sockets -= 1 } }
        return true
    }

    package func noteCutOff(_ reason: ConnectionTimes.Expiry) {
        state.withLock { $0.counts.cutOff[reason, default: 0] += 1 }
    }

    /// Closes every connection, also those with requests in progress.
    package func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
