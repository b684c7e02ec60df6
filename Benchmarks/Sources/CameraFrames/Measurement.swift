// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura

/// What is measured of the frames. In words: the number of frames, the number of missing frames, the time from the
/// creation of the measurement (just before `start()`) to the first frame in milliseconds, the sum of the first bytes,
/// the time of the first frame on the monotonic clock in milliseconds, and the CPU time of all threads from the 30th
/// frame to the last in milliseconds.
struct Measurement: Sendable, CustomStringConvertible {
    private let count: Int
    private let begin = HostTime.now
    private var frames = 0
    private var sum = 0
    private var (firstNumber, lastNumber): (UInt64, UInt64) = (0, 0)
    private var firstFrame = HostTime.now
    private var (cpuBegin, cpuEnd) = (0.0, 0.0)

    /// - Parameter count: the number of frames to read.
    init(count: Int) {
        self.count = count
    }

    var isComplete: Bool { frames >= count }

    mutating func add(_ frame: VideoFrame) {
        if frames == 0 {
            firstFrame = .now
            firstNumber = frame.sequence
        }
        frames += 1
        lastNumber = frame.sequence
        if frames == 30 { cpuBegin = Self.cpuTime }
        // Reads a byte, so that the compiler cannot remove the access to the frame.
        sum &+= frame.buffer.withBytes(ofPlane: 0) { Int($0.unsafeLoad(as: UInt8.self)) }
        if isComplete { cpuEnd = Self.cpuTime }
    }

    var description: String {
        // Fewer frames than requested: the camera has stopped.
        let missed = frames == 0 ? 0 : lastNumber - firstNumber + 1 - UInt64(frames)
        let start = (firstFrame - begin) / .milliseconds(1)
        return "\(frames) \(missed) \(start) \(sum) \(Double(firstFrame.nanoseconds) / 1_000_000) \(cpuEnd - cpuBegin)"
    }

    /// The CPU time of all threads so far, in milliseconds.
    private static var cpuTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
