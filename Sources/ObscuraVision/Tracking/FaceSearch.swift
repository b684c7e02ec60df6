// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The search of a ``FaceTracker`` over successive frames.
struct FaceSearch: Sendable {
    var tracks = FaceTracks()
    private var schedule: ScanSchedule?
    private var size = PixelSize(width: 0, height: 0)
    /// The index of the next frame in its round; nil before the first frame, which is searched completely.
    private var roundIndex: Int?

    /// The number of frames after which every size was searched in the whole picture.
    static let roundLength = 6
    /// Maximum number of single windows per frame whose surroundings are searched at all sizes.
    private static let candidateLimit = 32

    mutating func reset() {
        tracks.reset()
        schedule = nil
        roundIndex = nil
    }

    /// Searches the sizes that are due in the whole picture, and the others around known and possible faces.
    mutating func find(
        _ picture: GrayPicture, with scanner: PyramidScanner, _ settings: CascadeSettings
    ) throws -> [FoundRect] {
        if picture.size != size { reset() }
        size = picture.size
        let schedule =
            schedule
            ?? ScanSchedule(
                ScalePyramid(picture: picture.size, window: scanner.cascade.window, settings: settings),
                frames: Self.roundLength)
        let levels = schedule.levels
        let due = roundIndex.map { schedule.frames[$0] } ?? Set(levels.indices)
        let regions = tracks.tracks.map(\.region)
        let bands =
            due.sorted().flatMap { ScanBand.all(of: levels[$0]) }
            + regions.flatMap { $0.bands(in: levels, without: due) }
        // Windows that two regions share count once.
        var windows = Set(try scanner.scan(bands, of: picture))
        // Around a window outside the regions, sizes that are not due may have more windows.
        var candidates: [SearchRegion] = []
        for window in windows.sorted(by: { ($0.width, $0.y, $0.x) < ($1.width, $1.y, $1.x) })
        where candidates.count < Self.candidateLimit {
            guard !regions.contains(where: { $0.covers(window) }),
                !candidates.contains(where: { $0.covers(window) })
            else { continue }
            candidates.append(SearchRegion(around: window, radius: 0.35))
        }
        let closer = candidates.flatMap { $0.bands(in: levels, without: due) }
        if !closer.isEmpty { windows.formUnion(try scanner.scan(closer, of: picture)) }
        let inOrder = windows.sorted { ($0.width, $0.y, $0.x) < ($1.width, $1.y, $1.x) }
        let found = try FoundRect.grouped(inOrder, neighbours: settings.neighbours)
        self.schedule = schedule
        roundIndex = ((roundIndex ?? -1) + 1) % schedule.frames.count
        return found
    }
}
