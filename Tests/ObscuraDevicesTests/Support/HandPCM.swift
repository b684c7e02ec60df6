// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia

@testable import ObscuraDevices

/// A playback device that has room, runs dry and fails when a test tells it to. Its samples are 16-bit integers.
final class HandPCM: PlaybackPCM, Sendable {
    struct State {
        /// The number of frames for which there is room.
        var room = 0
        var isDry = false
        var isSuspended = false
        var failure: ObscuraError?
        /// What the player has done, in order.
        var calls: [String] = []
        var written: [Int16] = []
    }

    /// The format to which the device agrees; nil for the requested one.
    private let format: AudioFormat?
    let hand = Lock(State())

    init(format: AudioFormat? = nil, room: Int = 0) {
        self.format = format
        hand.withLock { $0.room = room }
    }

    var calls: [String] { hand.withLock { $0.calls } }
    var written: [Int16] { hand.withLock { $0.written } }

    func agree(on requested: AudioFormat, latency: Duration) throws(ObscuraError) -> ALSAAgreement {
        ALSAAgreement(format: format ?? requested, layout: .int16, periodFrames: 10, bufferFrames: 40)
    }

    func state() throws(ObscuraError) -> ALSAPlaybackPCM.State {
        let (failure, answer) = hand.withLock { state -> (ObscuraError?, ALSAPlaybackPCM.State) in
            (state.failure, state.isDry ? .underrun : state.isSuspended ? .suspended : .ready(room: state.room))
        }
        if let failure { throw failure }
        return answer
    }

    var delay: Int { 0 }

    func write(_ bytes: ArraySlice<UInt8>) throws(ObscuraError) -> Int? {
        hand.withLock { state in
            guard !state.isDry else { return nil }
            let count = min(state.room, bytes.count / 2)
            state.room -= count
            let first = bytes.startIndex
            state.written += (0..<count).map { index in
                Int16(bitPattern: UInt16(bytes[first + 2 * index]) | UInt16(bytes[first + 2 * index + 1]) << 8)
            }
            return count
        }
    }

    func prepare() throws(ObscuraError) {
        hand.withLock { state in
            state.isDry = false
            state.calls.append("prepare")
        }
    }

    func wake() throws(ObscuraError) -> Bool {
        hand.withLock { state in
            state.calls.append("wake")
            // It needs a second attempt.
            state.isSuspended = state.calls.count { $0 == "wake" } < 2
            return !state.isSuspended
        }
    }

    func drop() {
        hand.withLock { $0.calls.append("drop") }
    }

    func wait(with eventFD: EventFD, until deadline: HostTime) -> EventFD.Wait {
        while HostTime.now < deadline {
            if hand.withLock({ $0.room > 0 || $0.isDry || $0.isSuspended || $0.failure != nil }) { return .ready }
            if eventFD.wait(with: nil, until: .now + .milliseconds(1)) == .signaled { return .signaled }
        }
        return .timedOut
    }
}
