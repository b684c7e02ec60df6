// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Decides when the reading of a live stream pauses, so that its thread does not wake up for each small packet.
///
/// A packet that was captured just now is probably one of the last that are there: the reading pauses, and TCP keeps what
/// arrives meanwhile. Packets that were kept have no exact time of arrival, which ``StreamClock`` needs. So twice a second
/// a batch ends with a packet for which the reader had to wait.
struct BatchedReading {
    /// The longest pause.
    static let longestPause = Duration.milliseconds(100)
    /// The most bytes that arrive in a pause, on average: fewer than the smallest window of a TCP connection (64 KiB), so
    /// that the sender does not have to wait.
    static let mostBytes = 48 << 10
    /// Reading a packet that is already there takes less than this.
    static let shortestWait = Duration.milliseconds(2)
    /// The longest time between two packets with an exact time of arrival.
    static let longestInexact = Duration.milliseconds(500)
    /// The age of a packet from which on there is no pause, even if the reader waited: it has no time for pauses.
    static let longestDelay = Duration.milliseconds(150)

    /// The arrival of the last packet for which the reader waited.
    private var exact: HostTime?
    /// The beginning of the current measurement of the bit rate, and the number of bytes since then.
    private var measured: (begin: HostTime, byteCount: Int)?
    /// The length of a pause, by the last measurement, and half of it.
    private var (length, half) = (Duration.zero, Duration.zero)

    /// Notes a packet. Returns the time for which the reading pauses; nil to go on.
    ///
    /// - Parameters:
    ///   - waited: the time for which the reader waited for the packet.
    ///   - captured: the time at which it was captured.
    mutating func pause(after byteCount: Int, waited: Duration, captured: HostTime, now: HostTime) -> Duration? {
        measured?.byteCount += byteCount
        let isExact = waited >= Self.shortestWait
        if isExact {
            exact = now
            measure(now)
        }
        guard length > .zero, let exact, now - exact < Self.longestInexact else { return nil }
        guard now - captured < (isExact ? Self.longestDelay : half) else { return nil }
        return length
    }

    /// Measures the bit rate, from one packet that was the last one there to another.
    private mutating func measure(_ now: HostTime) {
        guard let measured else { return self.measured = (now, 0) }
        guard now - measured.begin >= Self.longestPause, measured.byteCount > 0 else { return }
        length = min(Self.longestPause, (now - measured.begin) * Self.mostBytes / measured.byteCount)
        half = length / 2
        self.measured = (now, 0)
    }
}
