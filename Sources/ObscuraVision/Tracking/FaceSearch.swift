// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// The search of ``FaceTracker``, from frame to frame.
struct FaceSearch: Sendable {
    var tracks = FaceTracks()
    private var schedule: ScanSchedule?
    private var size = PixelSize(width: 0, height: 0)
    /// The frame of the round that comes next; nil before the first one, which is searched whole.
    private var turn: Int?

    /// How many places of a frame at which a window passed are looked at more closely.
    /// After how many frames every size was looked for everywhere.
    static let roundLength = 6
    private static let mostCandidates = 32

    mutating func startAnew() {
        tracks.forget()
        schedule = nil
        turn = nil
    }

    /// Searches what is due in all of the picture, and the rest where faces were or may be.
    mutating func find(
        _ picture: GrayPicture, with scanner: PyramidScanner, _ settings: CascadeSettings
    ) throws -> [FoundRect] {
        if picture.size != size { startAnew() }
        size = picture.size
        let schedule =
            schedule
            ?? ScanSchedule(
                ScalePyramid(picture: picture.size, window: scanner.cascade.window, settings: settings),
                frames: Self.roundLength)
        let levels = schedule.levels
        let due = turn.map { schedule.turns[$0] } ?? Set(levels.indices)
        let regions = tracks.tracks.map(\.region)
        let bands =
            due.sorted().flatMap { ScanBand.all(of: levels[$0]) }
            + regions.flatMap { $0.bands(in: levels, without: due) }
        // Two regions may share windows, and each counts once.
        var windows = Set(try scanner.scan(bands, of: picture))
        // Where a window passed and nobody looks, the sizes that are not due may hold its neighbours.
        var candidates: [SearchRegion] = []
        for window in windows.sorted(by: { ($0.width, $0.y, $0.x) < ($1.width, $1.y, $1.x) })
        where candidates.count < Self.mostCandidates {
            guard !regions.contains(where: { $0.covers(window) }),
                !candidates.contains(where: { $0.covers(window) })
            else { continue }
            candidates.append(SearchRegion(around: window, reach: 0.35))
        }
        let closer = candidates.flatMap { $0.bands(in: levels, without: due) }
        if !closer.isEmpty { windows.formUnion(try scanner.scan(closer, of: picture)) }
        let inOrder = windows.sorted { ($0.width, $0.y, $0.x) < ($1.width, $1.y, $1.x) }
        let found = try FoundRect.grouped(inOrder, neighbours: settings.neighbours)
        self.schedule = schedule
        turn = ((turn ?? -1) + 1) % schedule.turns.count
        return found
    }
}

#endif
