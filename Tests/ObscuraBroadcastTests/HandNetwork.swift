// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraFFmpeg
import ObscuraMedia
import TestSupport

@testable import ObscuraBroadcast
@testable import ObscuraMovies

/// A server and the way to it, driven by a test.
final class HandNetwork: Sendable {
    private struct State {
        var failure: ObscuraError.Code?
        var endFailure: ObscuraError.Code?
        var isBlocked = false
        var isDeaf = false
        var finishes = 0
        var unsentBytes = 0
    }

    private let state = Lock(State())
    let sent = Watched<[Int]>([])
    let openings = Watched<[Int]>([])

    var sentUnits: [Int] { sent.value }
    var finishes: Int { state.withLock { $0.finishes } }

    /// Whether it never answers whoever connects.
    var isDeaf: Bool {
        get { state.withLock { $0.isDeaf } }
        set { state.withLockSignalling { $0.isDeaf = newValue } }
    }

    /// The number of bytes that it has not sent yet.
    var unsentBytes: Int {
        get { state.withLock { $0.unsentBytes } }
        set { state.withLock { $0.unsentBytes = newValue } }
    }

    /// It fails from now on.
    func `break`(_ code: ObscuraError.Code) { state.withLockSignalling { $0.failure = code } }
    /// Its end fails.
    func breakAtTheEnd(_ code: ObscuraError.Code) { state.withLock { $0.endFailure = code } }
    func repair() { state.withLockSignalling { $0.failure = nil } }
    /// It takes nothing from now on.
    func block() { state.withLockSignalling { $0.isBlocked = true } }
    func unblock() { state.withLockSignalling { $0.isBlocked = false } }

    func open(control: ReadControl) -> Result<any BroadcastTransport, ObscuraError> {
        openings.change { $0.append(1) }
        while isDeaf {
            if control.mustEnd { return .failure(.cancelled(.broadcast, "hand")) }
            _ = state.wait(until: .now + .milliseconds(10)) { $0.isDeaf ? nil : true }
        }
        if let error = state.withLock({ $0.failure }) {
            return .failure(ObscuraError(.broadcast, error, subject: "hand", reason: ""))
        }
        return .success(Transport(self, control))
    }

    private final class Transport: BroadcastTransport {
        private let network: HandNetwork
        private let control: ReadControl

        init(_ network: HandNetwork, _ control: ReadControl) {
            self.network = network
            self.control = control
        }

        func send(_ packet: EncodedPacket) throws(ObscuraError) {
            while network.state.withLock({ $0.isBlocked }) {
                if control.mustEnd { throw .cancelled(.broadcast, "hand") }
                _ = network.state.wait(until: .now + .milliseconds(10)) { $0.isBlocked ? nil : true }
            }
            if let code = network.state.withLock({ $0.failure }) {
                throw ObscuraError(.broadcast, code, subject: "hand", reason: "the test says so")
            }
            if packet.isVideo { network.sent.change { $0.append(Int(packet.units)) } }
        }

        func finish() throws(ObscuraError) {
            let failure = network.state.withLock { state in
                state.finishes += 1
                return state.endFailure
            }
            if let failure { throw ObscuraError(.broadcast, failure, subject: "hand", reason: "the test says so") }
        }

        var path: NetworkPath? { NetworkPath(unsentBytes: network.unsentBytes) }
    }
}

/// What a sender tells.
final class SenderRecord: Sendable {
    private let told = Watched<[String]>([])
    private let keyFrameRequestCount = Lock(0)

    var words: [String] { told.value }
    var keyFrameRequests: Int { keyFrameRequestCount.withLock { $0 } }

    var handlers: DestinationSender.Handlers {
        DestinationSender.Handlers(
            onEvent: { [told] event in
                switch event {
                case .connected: told.change { $0.append("connected") }
                case .waiting(_, let error, _): told.change { $0.append("waiting: \(error.code)") }
                case .failed(_, let error): told.change { $0.append("failed: \(error.code)") }
                case .bitRate, .finished: break
                }
            },
            needsKeyFrame: { [keyFrameRequestCount] in keyFrameRequestCount.withLock { $0 += 1 } },
            onEnd: { [told] in told.change { $0.append("ended") } })
    }

    func reaches(_ word: String, times: Int = 1) async -> Bool {
        await told.reaches { words in words.count { $0 == word } >= times }
    }
}

extension Watched where Value == [Int] {
    func reaches(_ count: Int) async -> Bool { await reaches { $0.count >= count } }
}
