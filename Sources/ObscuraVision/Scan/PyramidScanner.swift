// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A scanner of bands of windows on all cores: on the calling thread and on threads of its own.
final class PyramidScanner: Sendable {
    let cascade: StumpCascade

    /// The other threads, with low priority: displaying and recording take precedence.
    private static let helpers = WorkerPool(name: "faces", threads: max(1, WorkerPool.coreCount - 1), niceness: 10)

    private let scratches = Lock<[ScanScratch]>([])

    init(_ cascade: StumpCascade) {
        self.cascade = cascade
    }

    /// Returns the windows that pass all stages, in the order of the bands.
    func scan(_ bands: [ScanBand], of picture: GrayPicture) throws -> [PixelRect] {
        let work = ScanWork(bands: bands, picture: picture)
        let helperCount = min(WorkerPool.coreCount, bands.count) - 1
        for _ in 0..<max(0, helperCount) {
            Self.helpers.async { [self] in run(work) }
        }
        run(work)
        return try work.results()
    }

    private func run(_ work: ScanWork) {
        guard var (index, band) = work.next() else { return }
        do throws(ObscuraError) {
            let kept = scratches.withLock { $0.popLast() }
            let scratch = if let kept { kept } else { try ScanScratch() }
            defer { scratches.withLock { $0.append(scratch) } }
            while true {
                let found = try scan(band, of: work, with: scratch)
                work.finish(index, found)
                guard let next = work.next() else { return }
                (index, band) = next
            }
        } catch {
            work.fail(index, error)
        }
    }

    /// Not inlined, so that the picture is released before the band counts as finished.
    @inline(never) private func scan(
        _ band: ScanBand, of work: ScanWork, with scratch: ScanScratch
    ) throws(ObscuraError) -> [PixelRect] {
        guard let picture = work.picture else { return [] }
        return try cascade.scan(band, of: picture, with: scratch)
    }
}
