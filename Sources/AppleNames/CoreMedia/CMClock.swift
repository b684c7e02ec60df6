// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A clock.
public final class CMClock: Sendable {
    /// The clock of the machine, `CLOCK_MONOTONIC`. Samples from cameras and microphones have times of this clock.
    public static let hostTimeClock = CMClock()

    private init() {}

    /// The present time, in nanoseconds.
    public var time: CMTime { CMTime(value: HostTime.now.nanoseconds, timescale: 1_000_000_000) }
}

/// Returns the clock of the machine.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the present time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
