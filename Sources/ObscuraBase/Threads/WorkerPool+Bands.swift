// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension WorkerPool {
    /// How many bands there are for each thread: enough that one who comes late, or is held up, finds less to do.
    private static var bandsPerThread: Int { 4 }

    /// Does `body` for all of `0..<count`, cut into bands, on this thread and on those of the pool that have nothing
    /// else to do. Returns when all is done.
    ///
    /// Everybody takes band after band, and the caller waits only for bands that others have begun. So it may be
    /// called on a thread of the pool, also within a band: it never waits for a thread to become free.
    ///
    /// - Parameters:
    ///   - least: how many a band has at least, but for the last one; work of no more stays on this thread.
    ///   - body: called on several threads at once. Nothing of it is kept after the return.
    package func forEachBand(
        of count: Int, atLeast least: Int = 1, _ body: @escaping @Sendable (Range<Int>) -> Void
    ) {
        guard count > 0 else { return }
        let cores = WorkerPool.coreCount
        let length = max(least, (count - 1) / (cores * Self.bandsPerThread) + 1, 1)
        guard length < count, cores > 1 else { return body(0..<count) }
        let work = Lock(Bands(count: count, length: length, body: body))
        // As many as there are bands for, less the caller.
        for _ in 1..<min(cores, (count - 1) / length + 1) { submitIfIdle { Self.workOff(work) } }
        Self.workOff(work)
        _ = work.wait { $0.underWay == 0 ? true : nil }
    }

    /// Takes bands until none is left.
    private static func workOff(_ work: Lock<Bands>) {
        while let (band, body) = work.withLock({ $0.take() }) {
            body(band)
            work.withLockSignalling { $0.underWay -= 1 }
        }
    }

    /// What is still to be done.
    private struct Bands {
        let count: Int
        let length: Int
        /// Nil when all bands are taken: a thread that comes too late must not keep what it refers to.
        var body: (@Sendable (Range<Int>) -> Void)?
        var next = 0
        var underWay = 0

        init(count: Int, length: Int, body: @escaping @Sendable (Range<Int>) -> Void) {
            self.count = count
            self.length = length
            self.body = body
        }

        mutating func take() -> (Range<Int>, @Sendable (Range<Int>) -> Void)? {
            guard let body else { return nil }
            let band = next..<min(count, next + length)
            next = band.upperBound
            underWay += 1
            if next == count { self.body = nil }
            return (band, body)
        }
    }
}
