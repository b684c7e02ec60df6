// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
internal import ObscuraBase
internal import ObscuraMedia

/// The connections that are open: how many there may be, and how to close them all.
package final class Connections: Sendable {
    /// What happened so far.
    package struct Counts: Sendable, Equatable {
        package var open = 0
        package var sockets = 0
        /// Accepted at all.
        package var accepted = 0
        /// Closed at once since there were too many.
        package var refused = 0
        /// Closed since their time was up, by reason.
        package var cutOff: [ConnectionTimes.Expiry: Int] = [:]
    }

    private struct State {
        /// How many there may be.
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

    /// No more than so many may be open from now on.
    package func limit(to most: Int) {
        state.withLock { $0.most = min($0.most, most) }
    }

    package var counts: Counts { state.withLock(\.counts) }

    /// Takes in a new connection, until it closes; false if there are too many.
    ///
    /// One that comes when all places are taken is closed rather than left waiting: those that wait in the kernel keep
    /// the places of others, and nobody could tell which of them is a person. Places come free by the time limits.
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

    /// Takes one of the places for WebSockets, until the connection closes; false if there is none.
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

    /// Closes every connection, whatever goes on there.
    package func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}
