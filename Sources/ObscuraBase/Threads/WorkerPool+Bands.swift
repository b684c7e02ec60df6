// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension WorkerPool {
    /// The number of bands per thread, large enough that a late or delayed thread has less work to do.
    private static var bandsPerThread: Int { 4 }

    /// Calls `body` for all of `0..<count`, divided into bands, on this thread and on idle threads of the pool. Returns
    /// when all bands are finished.
    ///
    /// Each thread takes one band after another, and the caller waits only for bands that other threads have started.
    /// Therefore this function may be called on a thread of the pool, also within a band: it never waits for a thread
    /// to become idle.
    ///
    /// - Parameters:
    ///   - least: the minimum size of a band, except the last one; work up to this size stays on this thread.
    ///   - body: called on several threads at once; not retained after the return.
    package func forEachBand(
        of count: Int, atLeast least: Int = 1, _ body: @escaping @Sendable (Range<Int>) -> Void
    ) {
        guard count > 0 else { return }
        let cores = WorkerPool.coreCount
        let length = max(least, (count - 1) / (cores * Self.bandsPerThread) + 1, 1)
        guard length < count, cores > 1 else { return body(0..<count) }
        let work = Lock(Bands(count: count, length: length, body: body))
        // At most one thread per band and core, minus the caller's thread.
        for _ in 1..<min(cores, (count - 1) / length + 1) { submitIfIdle { Self.workOff(work) } }
        Self.workOff(work)
        _ = work.wait { $0.underWay == 0 ? true : nil }
    }

    /// Processes bands until none is left.
    private static func workOff(_ work: Lock<Bands>) {
        while let (band, body) = work.withLock({ $0.take() }) {
            body(band)
            work.withLockSignalling { $0.underWay -= 1 }
        }
    }

    /// The remaining work.
    private struct Bands {
        let count: Int
        let length: Int
        /// The function for a band; nil when all bands are taken, because a late thread must not retain what it
        /// references.
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
