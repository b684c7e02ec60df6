// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// Copies the packets of a part of a movie.
struct TrimCopy {
    /// Audio decoders need the packets before a packet: about a tenth of a second (AAC, Opus).
    private static let audioRunUp = MediaTime(value: 1, timescale: 10)

    /// The streams of the new file.
    let streams: [OutputStream]
    /// The chapters of the part, on the timeline of the new file.
    let chapters: [MovieChapter]
    /// The time of the original file that becomes 0.
    private(set) var start: MediaTime

    /// Whether an edit list hides the packets before the start.
    private let isExact: Bool
    private let input: InputContext
    private let source: String
    private let range: TrimRange
    /// The streams to copy with their numbers in the new file, by their numbers in the original file.
    private let inputs: [Int: (stream: InputStream, place: Int)]
    private let lead: InputStream
    /// Texts that begin before the part and end in it.
    private var texts: [Packet]
    /// The packets up to the first one of the leading stream.
    private var first: [Packet]
    /// The time of the first packet of the leading stream.
    private let firstUnits: Int64
    /// Number of streams that the container of the new file does not support.
    let omittedStreamCount: Int
    /// Frames after the end, which are copied only if a frame of the part is decoded after them.
    private var beyond: [Int: [Packet]] = [:]
    /// Streams that have reached the end.
    private var finished: Set<Int> = []

    /// Seeks to the beginning of the part.
    init(
        _ input: InputContext, _ source: String, _ range: TrimRange, _ container: MovieContainer
    ) throws(ObscuraError) {
        (self.input, self.source, self.range) = (input, source, range)
        var streams: [OutputStream] = []
        var copied: [(stream: InputStream, place: Int)] = []
        // A cover has one packet, and not in the part.
        for stream in input.streams where stream.kind != .unknown && !stream.isCover && !stream.holdsChapters {
            guard let made = try OutputStream(copying: stream, to: container, source) else {
                guard stream.kind != .video, stream.kind != .audio else {
                    throw ObscuraError(
                        .movies, .unsupportedFormat, subject: source,
                        reason: "its \(stream.kind == .video ? "video" : "audio") cannot be copied without encoding",
                        advice: "Convert the movie to Matroska or MP4 first.")
                }
                continue
            }
            copied.append((stream, streams.count))
            streams.append(made)
        }
        self.streams = streams
        inputs = Dictionary(uniqueKeysWithValues: copied.map { ($0.stream.index, $0) })
        let lead = copied.first { $0.stream.kind == .video } ?? copied.first { $0.stream.kind == .audio }
        guard let lead = lead?.stream else { throw Self.nothing(source) }
        self.lead = lead
        omittedStreamCount = input.streams.count { !$0.holdsChapters } - copied.count
        let texts = copied.map(\.stream).filter { $0.kind != .video && $0.kind != .audio }.map(\.index)
        self.texts = try Self.texts(Set(texts), source, until: range.start)
        first = try Self.seek(input, lead, to: range.start, source)
        firstUnits = first.last?.presentationTimestamp ?? 0
        isExact = container != .mkv
        start = isExact ? range.start : min(range.start, lead.time(firstUnits))
        let (begin, end) = (start, range.end)
        chapters = input.chapters.compactMap { chapter in
            guard chapter.end > begin, end.map({ chapter.start < $0 }) ?? true else { return nil }
            return MovieChapter(
                start: max(chapter.start, begin) - begin,
                end: (end.map { min(chapter.end, $0) } ?? chapter.end) - begin,
                title: chapter.title)
        }
    }

    /// Copies the packets to a new file.
    mutating func run(
        to output: OutputContext, _ progress: ((Double) -> Void)?, _ isCancelled: () -> Bool
    ) throws(ObscuraError) {
        let total = ((range.end ?? (range.origin + (input.duration ?? .zero))) - range.start).seconds
        for packet in texts { try accept(packet, output, isEarlierText: true) }
        for packet in first { try accept(packet, output) }
        (texts, first) = ([], [])
        let essential = Set(inputs.filter { [.video, .audio].contains($0.value.stream.kind) }.keys)
        while !essential.isSubset(of: finished) {
            guard !isCancelled() else { throw .cancelled(.movies, source) }
            guard let packet = Packet() else { throw .outOfMemory(.movies, source) }
            let status = input.read(packet)
            if status == FFmpegCode.again { continue }
            guard status >= 0 else {
                guard status == FFmpegCode.endOfFile else {
                    throw ObscuraError(
                        .movies, .damaged, subject: source,
                        reason: "it cannot be read up to the end of the selected part",
                        advice: "Choose an earlier end.", libraryMessage: FFmpegCode.text(status))
                }
                break
            }
            try accept(packet, output)
            if let progress, packet.streamIndex == lead.index, let units = packet.decodeTimestamp, total > 0 {
                progress(min(max((lead.time(units) - range.start).seconds / total, 0), 1))
            }
        }
        progress?(1)
    }

    /// - Parameter isEarlierText: whether it is one of ``texts``.
    private mutating func accept(
        _ packet: Packet, _ output: OutputContext, isEarlierText: Bool = false
    ) throws(ObscuraError) {
        let index = packet.streamIndex
        guard let (stream, place) = inputs[index], !packet.isEmpty, !packet.isCorrupt,
            let units = packet.presentationTimestamp, let scale = stream.timescale
        else { return }
        packet.position = -1
        let time = stream.time(units)
        let length = stream.time(max(0, packet.duration))
        let isVideo = stream.kind == .video
        let isText = !isVideo && stream.kind != .audio
        // The muxer writes the ends of texts itself.
        if isText, packet.bytes == TimedForm.endOfText { return }
        if let end = range.end {
            if let decoded = packet.decodeTimestamp, stream.time(decoded) >= end { finished.insert(index) }
            if time >= end {
                if isVideo, !finished.contains(index) { beyond[index, default: []].append(packet) }
                return
            }
        }
        if isVideo {
            // A frame that is decoded after the key frame but shown before it depends on frames that are missing.
            guard index != lead.index || units >= firstUnits else { return }
        } else if isText {
            // Those that began before the part were read first.
            guard time >= range.start || isEarlierText, time + length > start else { return }
        } else {
            // A Matroska file has no edit list that would hide the audio before the first frame.
            guard time + length > (isExact ? start - Self.audioRunUp : start) else { return }
        }
        let shift = -stream.units(start)
        for needed in beyond.removeValue(forKey: index) ?? [] {
            try output.write(needed, stream: place, timescale: scale, shift: shift)
        }
        if isText {
            let begin = max(time, start)
            let end = range.end.map { min($0, time + length) } ?? time + length
            packet.presentationTimestamp = stream.units(begin)
            packet.decodeTimestamp = packet.presentationTimestamp
            packet.duration = max(0, stream.units(end) - stream.units(begin))
        }
        try output.write(packet, stream: place, timescale: scale, shift: shift)
    }

    /// Reads the texts that begin before a time and end after it. Their packets may be far before the key frame.
    private static func texts(
        _ streams: Set<Int>, _ source: String, until time: MediaTime
    ) throws(ObscuraError) -> [Packet] {
        guard !streams.isEmpty else { return [] }
        let input = try MovieLocation.file(path: source).open(
            MovieReadingOptions(), control: ReadControl(), log: FFmpegLog())
        var all: [Int: InputStream] = [:]
        for stream in input.streams {
            all[stream.index] = stream
            stream.isRead = streams.contains(stream.index)
        }
        var found: [Packet] = []
        var finished: Set<Int> = []
        while finished.count < streams.count, let packet = Packet() {
            let status = input.read(packet)
            if status == FFmpegCode.again { continue }
            guard status >= 0 else { break }
            guard let stream = all[packet.streamIndex], let units = packet.presentationTimestamp else { continue }
            let begin = stream.time(units)
            if begin >= time {
                finished.insert(stream.index)
            } else if begin + stream.time(max(0, packet.duration)) > time {
                found.append(packet)
            }
        }
        return found
    }

    /// Seeks to the last key frame at or before a time, and returns the packets up to it.
    private static func seek(
        _ input: InputContext, _ stream: InputStream, to time: MediaTime, _ source: String
    ) throws(ObscuraError) -> [Packet] {
        var target = time
        // An index may name a later position; then the next attempt seeks further back.
        for attempt in 0..<8 {
            let isAtBeginning = attempt == 7 || !input.seek(stream, to: stream.units(target))
            if isAtBeginning { _ = input.seek(stream, to: stream.units(stream.startTime ?? .zero)) }
            var packets: [Packet] = []
            while let packet = Packet() {
                let status = input.read(packet)
                if status == FFmpegCode.again { continue }
                guard status >= 0 else { break }
                if packet.streamIndex != stream.index { packets.append(packet) }
                guard packet.streamIndex == stream.index, packet.isKey, let units = packet.presentationTimestamp else {
                    continue
                }
                if stream.time(units) <= time || isAtBeginning { return packets + [packet] }
                break
            }
            target = target - MediaTime(value: Int64(1) << attempt, timescale: 1)
        }
        throw nothing(source)
    }

    private static func nothing(_ source: String) -> ObscuraError {
        ObscuraError(
            .movies, .invalidRequest, subject: source,
            reason: "there is no key frame from which the selected part can be decoded",
            advice: "Choose another start.")
    }
}
