// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// Measures the CPU time of the process over a number of frames.
final class FrameMeter: @unchecked Sendable {  // What changes is accessed under the lock.
    private let warmUp: Int
    private let count: Int
    private let lock = NSLock()
    private var seen = 0
    private var sum = 0
    private var begin = 0
    private var end: Int?
    private let over = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter warmUp: The number of frames that come before those that are measured.
    init(warmUp: Int, count: Int) {
        self.warmUp = warmUp
        self.count = count
    }

    /// The CPU time of a frame; nil before the last one.
    var microsecondsPerFrame: Double? {
        lock.withLock { end.map { Double($0 - begin) / Double(CLOCKS_PER_SEC) * 1e6 / Double(count) } }
    }

    /// Counts a frame. `byte` is one of the frame's, so that the compiler cannot remove the access to it.
    ///
    /// - Returns: Whether more frames are needed.
    @discardableResult func count(byte: UInt8) -> Bool {
        lock.withLock {
            seen += 1
            sum &+= Int(byte)
            // The CPU time of all threads of the process (clock(3)).
            if seen == warmUp { begin = clock() }
            if seen == warmUp + count {
                end = clock()
                over.continuation.finish()
            }
            return end == nil
        }
    }

    /// Waits for the last frame.
    func wait() async { for await _ in over.stream {} }
}
