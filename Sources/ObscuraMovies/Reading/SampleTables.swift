// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An upper bound for the number of index entries that FFmpeg allocates when it opens an MP4 or MOV file: a pure value.
///
/// A box of 20 bytes (`stsz`, `stsc`, `trun`) can describe millions of samples, and FFmpeg allocates at least 24 bytes
/// for each of them before it reads any. Real samples occupy bytes in the file, so the maximum number of accepted
/// entries grows with the size of the file.
///
/// Boxes are searched wherever FFmpeg's demuxer (5.1 to 7.1) parses them, including places where no real movie has
/// them, because a missed box would not be limited. Layout of the boxes: ISO/IEC 14496-12 and Apple's QuickTime File
/// Format.
struct SampleTables {
    /// Number of entries: samples, edits that repeat them, and boxes.
    private(set) var entryCount: Int64 = 0
    /// Whether the index is compressed (`cmov`), so that its size is unknown until it is decompressed.
    private(set) var isCompressed = false
    /// Whether a track has no number, or a negative one, and there are samples of fragments (`trun`).
    ///
    /// For each `trun` of such a file FFmpeg counts from an error code, -1.1 billion, to the number of fragments: one or
    /// two seconds for 16 bytes.
    var hasEndlessFragments: Bool { hasRuns && hasUnnumberedTrack }

    /// Maximum number of entries for the file.
    ///
    /// A day with 30 frames and 47 audio packets per second has 6.6 million, in gigabytes. The shortest samples that
    /// are indexed individually have about 30 bytes (AMR, GSM).
    let limit: Int64

    /// Whether opening the file needs no more memory and time than its size justifies.
    var isAcceptable: Bool { entryCount <= limit && !isCompressed && !hasEndlessFragments }

    /// - Throws: ``ObscuraError`` for a file that is not acceptable.
    func check(_ subject: String) throws(ObscuraError) {
        guard !isAcceptable else { return }
        let reason =
            if isCompressed {
                "its index is compressed, which is not supported"
            } else if hasEndlessFragments {
                "it has fragments, and a track without a number"
            } else {
                "its index describes more samples than a file of \(size) bytes can hold"
            }
        throw ObscuraError(
            .movies, .unsupportedContainer, subject: subject, reason: reason,
            advice: "Use another copy of the file; this copy may be damaged or malicious.")
    }

    private let size: Int64
    private var window: Window
    private var track = Track()
    private var trackCount: Int64 = 0
    private var hasUnnumberedTrack = false
    private var hasRuns = false
    /// Offsets of the outer boxes that were parsed.
    private var walked: Set<Int64> = []
    /// Offsets of fragments that `sidx` and `tfra` refer to.
    private var named: [Int64] = []

    /// The largest limit for a file from any source.
    static let usualCap: Int64 = 24_000_000
    /// The largest limit for a recording that is recovered: weeks of video and audio in fragments. Below it, no product of
    /// numbers of a file overflows.
    static let recordingCap: Int64 = 1 << 28

    /// - Parameters:
    ///   - size: size of the file in bytes.
    ///   - cap: the largest limit.
    ///   - bytes: returns `count` bytes of the file from `offset`, or fewer at its end.
    init(
        size: Int64, cap: Int64 = usualCap, bytes: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]
    ) {
        // Larger than any disk, and small enough for sums of offsets not to overflow.
        self.size = min(size, 1 << 60)
        limit = min(1_000_000 + self.size / 16, cap)
        window = Window(bytes: bytes)
        walk(from: 0, to: self.size, isOuter: true)
        walkFragmentIndex()
        // FFmpeg seeks wherever a fragment index points, including into sample data.
        while isAcceptable, let offset = named.popLast() {
            if !walked.contains(offset) { walk(from: offset, to: self.size, isOuter: true) }
        }
        finishTrack()
    }

    // MARK: Boxes

    /// Boxes that FFmpeg parses as lists of boxes, at any position.
    private static let containers: Set<FourCC> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf", "mvex", "udta", "dinf", "tref", "ilst", "wave",
        "sinf", "schi", "iprp", "ipco", "clip", "rmra", "rmda", "strk", "mfra",
    ]
    /// FFmpeg stops at 10.
    private static let greatestDepth = 16
    /// The number of entries for which an outer box counts: its offset is remembered, which takes about 20 bytes. Real
    /// ones, even fragments of one packet of audio, have more than 60 bytes each.
    private static let outerWeight: Int64 = 4

    private mutating func walk(from begin: Int64, to end: Int64, isOuter: Bool = false, depth: Int = 0) {
        var offset = begin
        while offset <= end - 8, depth < Self.greatestDepth, isAcceptable {
            if isOuter {
                guard walked.insert(offset).inserted else { return }
                entryCount += Self.outerWeight
            } else {
                entryCount += 1
            }
            var length = window.number(at: offset, count: 4)
            let type = FourCC(window.number(at: offset + 4, count: 4))
            var head: Int64 = 8
            if length == 1, offset <= end - 16 {
                length = window.number(at: offset + 8, count: 8)
                head = 16
            }
            if length == 0 { length = end - offset }
            guard length >= head else { return }
            let next = offset + min(length, end - offset)
            read(type, from: offset + head, to: next, depth: depth)
            offset = next
        }
    }

    private mutating func read(_ type: FourCC, from begin: Int64, to end: Int64, depth: Int) {
        switch type {
        case "trak":
            finishTrack()
            trackCount += 1
            walk(from: begin, to: end, depth: depth + 1)
        case "moof":
            // FFmpeg keeps about 64 bytes for each track of each fragment.
            entryCount += 3 * max(1, trackCount)
            walk(from: begin, to: end, depth: depth + 1)
        case _ where Self.containers.contains(type):
            walk(from: begin, to: end, depth: depth + 1)
        case "meta":
            // The QuickTime version of this box has no version and flags: FFmpeg searches for the first inner box.
            var offset = begin
            while offset <= end - 8, isAcceptable, FourCC(window.number(at: offset + 4, count: 4)) != "hdlr" {
                (offset, entryCount) = (offset + 4, entryCount + 1)
            }
            walk(from: offset, to: end, depth: depth + 1)
        case "free", "hoov":
            // An index at an unusual position.
            let inner = FourCC(window.number(at: begin + 4, count: 4))
            if inner == "mvhd" || inner == "cmov" { walk(from: begin, to: end, depth: depth + 1) }
        case "cmov": isCompressed = true
        case "tkhd": readTrackHeader(from: begin)
        case "hdlr": track.handlers.insert(FourCC(window.number(at: begin + 8, count: 4)))
        case "stsd": readDescriptions(from: begin, to: end)
        case "stts":
            track.hasSamplesOfOneUnit =
                window.number(at: begin + 4, count: 4) == 1 && window.number(at: begin + 12, count: 4) == 1
        case "stsz", "stz2": track.sampleCount = max(track.sampleCount, window.number(at: begin + 8, count: 4))
        case "stco", "co64":
            let count = rowCount(from: begin, width: type == "stco" ? 4 : 8)
            track.chunkCount = max(track.chunkCount, count)
            entryCount += count
        case "stsc":
            track.chunks = (begin, rowCount(from: begin, width: 12))
            entryCount += track.chunks.count
        case "elst": track.editCount = max(track.editCount, rowCount(from: begin, width: 12))
        case "trun":
            hasRuns = true
            entryCount += window.number(at: begin + 4, count: 4)
        case "iinf", "iloc": readItemCount(type, from: begin, to: end)
        case "sidx": readSegmentIndex(from: begin, to: end)
        case "tfra": readFragmentTable(from: begin, to: end)
        default: break
        }
    }

    /// The number of rows of a table according to its box; FFmpeg also reads rows beyond the end of the box.
    private mutating func rowCount(from begin: Int64, width: Int64) -> Int64 {
        min(window.number(at: begin + 4, count: 4), (size - begin) / width)
    }

    /// Parses sample descriptions, which may contain boxes after codec-specific fields. None of them describes samples.
    private mutating func readDescriptions(from begin: Int64, to end: Int64) {
        var offset = begin + 16
        while offset <= end - 4, isAcceptable {
            switch FourCC(window.number(at: offset, count: 4)) {
            case "stsz", "stz2", "stsc", "elst", "trun", "cmov", "iinf", "iloc": entryCount = limit + 1
            default: (offset, entryCount) = (offset + 1, entryCount + 1)
            }
        }
    }

    /// Counts the items of a still image file. FFmpeg allocates about 80 bytes for each.
    private mutating func readItemCount(_ type: FourCC, from begin: Int64, to end: Int64) {
        let version = window.number(at: begin, count: 1)
        let place = begin + (type == "iloc" ? 6 : 4)
        let isLong = type == "iloc" ? version >= 2 : version >= 1
        entryCount += 4 * window.number(at: place, count: isLong ? 4 : 2)
    }

    // MARK: Fragments

    private mutating func readSegmentIndex(from begin: Int64, to end: Int64) {
        let isLong = window.number(at: begin, count: 1) != 0
        let counted = begin + (isLong ? 30 : 22)
        let first = window.number(at: begin + (isLong ? 20 : 16), count: isLong ? 8 : 4)
        let count = window.number(at: counted, count: 2)
        entryCount += count * 3 * max(1, trackCount)
        var target = first > size - end ? size : end + first
        for number in 0..<count where isAcceptable && target < size {
            named.append(target)
            target += window.number(at: counted + 2 + number * 12, count: 4) & 0x7fff_ffff
        }
    }

    /// Parses the box at the end of a file that contains the offset of the fragment index.
    private mutating func walkFragmentIndex() {
        guard size >= 16, FourCC(window.number(at: size - 12, count: 4)) == "mfro" else { return }
        let begin = size - window.number(at: size - 4, count: 4)
        if begin >= 0, !walked.contains(begin) { walk(from: begin, to: size, isOuter: true) }
    }

    private mutating func readFragmentTable(from begin: Int64, to end: Int64) {
        let width: Int64 = window.number(at: begin, count: 1) == 1 ? 8 : 4
        let lengths = window.number(at: begin + 8, count: 4)
        let step = 2 * width + (lengths >> 4 & 3) + (lengths >> 2 & 3) + (lengths & 3) + 3
        let count = min(window.number(at: begin + 12, count: 4), (size - begin) / step)
        entryCount += count * 3 * max(1, trackCount)
        for number in 0..<count where isAcceptable {
            let target = window.number(at: begin + 16 + number * step + width, count: Int(width))
            if target < size { named.append(target) }
        }
    }

    // MARK: Tracks

    /// The header and the tables of one track.
    private struct Track {
        var hasHeader = false
        var handlers: Set<FourCC> = []
        var hasSamplesOfOneUnit = false
        var sampleCount: Int64 = 0
        var chunkCount: Int64 = 0
        /// The offset of the table of chunk lengths, and its number of rows.
        var chunks: (begin: Int64, count: Int64) = (0, 0)
        var editCount: Int64 = 0

        /// The handler types of audio tracks, and of data handlers, which FFmpeg reads as well.
        private static let soundHandlers: Set<FourCC> = ["soun", "url ", "alis", "rsrc"]

        /// Whether FFmpeg indexes chunks instead of samples: for audio with samples of one unit, as in uncompressed
        /// audio and some QuickTime codecs. Another handler in the track could turn it into video.
        var isIndexedByChunks: Bool {
            hasSamplesOfOneUnit && handlers.contains("soun") && handlers.isSubset(of: Self.soundHandlers)
        }
    }

    /// The smallest number of samples in a chunk that FFmpeg combines.
    private static let samplesPerPiece: Int64 = 160

    /// FFmpeg applies a header at any position to the newest track.
    private mutating func readTrackHeader(from begin: Int64) {
        let isLong = window.number(at: begin, count: 1) == 1
        track.hasHeader = true
        if window.number(at: begin + (isLong ? 20 : 12), count: 4) > Int32.max { hasUnnumberedTrack = true }
    }

    private mutating func finishTrack() {
        if trackCount > 0, !track.hasHeader { hasUnnumberedTrack = true }
        defer { track = Track() }
        guard isAcceptable else { return }
        var entries = track.isIndexedByChunks ? 0 : track.sampleCount
        if track.isIndexedByChunks || track.sampleCount == 0 { entries = max(entries, piecesOfChunks()) }
        entryCount += min(entries, limit + 1) * max(1, track.editCount)
    }

    /// Number of pieces into which FFmpeg splits the chunks of such audio.
    private mutating func piecesOfChunks() -> Int64 {
        func pieces(_ samples: Int64) -> Int64 { samples / Self.samplesPerPiece + 1 }
        var (sum, largest, previous, isSorted) = (Int64(0), Int64(0), Int64(0), true)
        for row in 0..<track.chunks.count {
            let place = track.chunks.begin + 8 + row * 12
            let first = window.number(at: place, count: 4)
            let samples = window.number(at: place + 4, count: 4)
            let next = row + 1 < track.chunks.count ? window.number(at: place + 12, count: 4) : track.chunkCount + 1
            largest = max(largest, pieces(samples))
            isSorted = isSorted && first > previous && next > first
            previous = first
            if isSorted {
                sum += pieces(samples) * (min(next, track.chunkCount + 1) - min(first, track.chunkCount + 1))
            }
            if sum > limit, isSorted { return sum }
        }
        return isSorted ? sum : largest * track.chunkCount
    }

    // MARK: Bytes

    /// A small part of the file around the current offset, which saves system calls.
    private struct Window {
        private static let length = 4096
        let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]
        private var begin: Int64 = 0
        private var held: [UInt8] = []

        init(bytes: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
            self.bytes = bytes
        }

        /// Returns a big-endian number of up to 8 bytes, clamped; bytes after the end of the file are zeros.
        mutating func number(at offset: Int64, count: Int) -> Int64 {
            guard offset >= 0 else { return 0 }
            if offset < begin || offset + Int64(count) > begin + Int64(held.count) {
                begin = offset
                held = bytes(offset, Self.length)
            }
            let place = Int(offset - begin)
            var number: UInt64 = 0
            for index in place..<place + count { number = number << 8 | UInt64(index < held.count ? held[index] : 0) }
            return Int64(clamping: number)
        }
    }
}

/// A four-character box type.
private struct FourCC: Hashable, ExpressibleByStringLiteral {
    private let number: UInt32

    init(_ number: Int64) {
        self.number = UInt32(truncatingIfNeeded: number)
    }

    init(stringLiteral text: StaticString) {
        number = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
