// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The work of the writer on its thread: timing, encoding and writing. One thread at a time.
///
/// Tracks and files are independent: a packet goes to the file whose part of the recording contains its time. A
/// recording can therefore continue in another file with the same encoders, without lost or duplicated frames.
final class WriterEngine {
    /// Maximum duration of audio that waits for the first frame, which determines the file header.
    private static let longestWait = MediaTime(value: 60, timescale: 1)

    /// Duration after which a part does not wait for a live track that has stopped. Samples that arrive even later, with
    /// times of a finished part, are not written.
    private static let longestStop = MediaTime(value: 30, timescale: 1)

    private let tracks: [WriterTrack]
    private let descriptions: [MovieTrack]
    /// The index of the first track of frames, or, in a movie without video, of audio: parts begin with its samples.
    private let main: Int
    private let subject: String
    private let container: MovieContainer
    /// Whether the host times of the samples are their times of capture.
    private let isLive: Bool
    private let onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?
    private let finisher: PartFinisher
    private let onKeyFrameWait: (@Sendable (KeyFrameWait) -> Void)?
    private let delivery: DeliveryRecorder?
    private var timeline = SessionTimeline()
    /// The current part, preceded by the parts for which packets may still arrive, in order.
    private var files: [MovieFile]
    /// Packets that wait for the header, and their tracks.
    private var early: [(packet: EncodedPacket, track: Int)] = []
    /// The beginnings of the chapters, and their titles.
    private var chapters: [MovieChapter.Beginning] = []
    /// The parts that begin with the next frames. Each has at least one frame, so one begins when the previous part
    /// has.
    private var nextParts: [(request: MovieFile.Request, time: HostTime)] = []
    /// Number of requested parts that have begun or failed to begin.
    private(set) var begunParts = 0
    /// Whether the current part has a frame or, in a movie without video, audio.
    private var isPartBegun = false
    /// The start of the current part, for each other track of video that has no frame in it yet: that must be a key frame.
    private var dueKeys: [Int: MediaTime] = [:]
    /// Paths of the requested parts without samples, for which no file exists. Complete at the end.
    private(set) var omittedParts: [String] = []
    private var parameters: VideoParameters?
    private var sequence: UInt64 = 0

    init(
        _ output: MovieFile.Request, tracks: [MovieTrack], isLive: Bool,
        onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?,
        onPart: (@Sendable (Result<WriterReport, ObscuraError>) -> Void)?,
        onKeyFrameWait: (@Sendable (KeyFrameWait) -> Void)?, delivery: DeliveryRecorder?
    ) throws(ObscuraError) {
        try FFmpegLibrary.load()
        subject = output.path
        container = output.container
        self.isLive = isLive
        descriptions = tracks
        main = tracks.firstIndex(where: \.content.isVideo) ?? tracks.firstIndex(where: \.content.isAudio) ?? 0
        var made: [WriterTrack] = []
        for track in tracks { made.append(try WriterTrack(track, subject: output.path, container: output.container)) }
        self.tracks = made
        self.onKeyFrameWait = onKeyFrameWait
        self.onEncodedFrame = onEncodedFrame
        self.delivery = delivery
        finisher = PartFinisher(onPart: onPart)
        files = [try MovieFile(output)]
    }

    /// Size of the current part in bytes.
    var byteCount: Int64 { files.last?.byteCount ?? 0 }
    /// Whether a file has reached its size limit; all later packets are rejected as well.
    var isFull: Bool { files.contains(where: \.isFull) }
    /// Expected size of the current part, including the frames in the encoder and one more frame of the largest size.
    var expectedByteCount: Int64 {
        guard let file = files.last, !file.isEmpty else { return 0 }
        let held = Int64(videos.reduce(0) { $0 + $1.frameCount } - codedPictures)
        let average = file.videoFrameCount > 0 ? file.pictureBytes / Int64(file.videoFrameCount) : 0
        return file.expectedByteCount + held * average + file.largestPacket
    }
    private var codedPictures = 0

    /// Duration of the current part, by the appended samples.
    var duration: MediaTime { max(.zero, end - (files.last?.start ?? .zero)) }

    /// The end of the movie, by the appended samples.
    private var end: MediaTime { tracks.map(\.end).max() ?? .zero }
    private var videos: [any VideoPacketTrack] { tracks.compactMap(\.video) }
    private var audios: [any AudioPacketTrack] { tracks.compactMap(\.audio) }

    // MARK: Samples

    func startSession(at time: MediaTime) {
        timeline.begin(at: time)
        for audio in audios { audio.begin(at: timeline.offset) }
    }

    func endSession(at time: MediaTime?) throws(ObscuraError) {
        let place = time.flatMap { timeline.place($0) }
        for (index, track) in tracks.enumerated() {
            if let audio = track.audio { try write(audio.endStretch(at: place), track: index) }
        }
        // A subtitle may last longer than the frames and the audio, which continue without a gap.
        timeline.end(at: time, movieEnd: tracks.filter { $0.timed == nil }.map(\.end).max() ?? .zero)
    }

    func append(_ sample: TrackSample) throws(ObscuraError) {
        let index = sample.track
        switch (tracks[index], sample.content) {
        case (.video(let track), .media(let sample)): try append(sample, to: track, index)
        case (.audio(let track), .media(let sample)): try append(sample, to: track, index)
        case (.timed(let track), .text(let text)): try append(text, to: track, index)
        case (.timed(let track), .location(let location)):
            guard let place = timeline.place(location.time) else { return }
            try write(track.append(location, at: place, floor: timeline.offset), track: index)
        case (.video, _), (.audio, _), (.timed, .media): break
        }
    }

    private func append(
        _ sample: MediaSample, to track: any VideoPacketTrack, _ index: Int
    ) throws(ObscuraError) {
        guard let place = timeline.place(sample.presentationTime), place >= timeline.offset else { return }
        var isKey = false
        // Uses the time that the packet will have; otherwise rounding could assign it to the previous part.
        if index == main, isPartBegun, !nextParts.isEmpty, let time = try track.time(of: sample, at: place) {
            isKey = true
            beginPart(with: sample, at: time)
        } else if let due = dueKeys[index], let time = try track.time(of: sample, at: place), time >= due {
            isKey = true
            dueKeys[index] = nil
        }
        let packets = try track.append(sample, at: place, isKey: isKey)
        if index == main { isPartBegun = isPartBegun || track.frameCount > 0 }
        try write(packets, track: index)
    }

    private func append(
        _ sample: MediaSample, to track: any AudioPacketTrack, _ index: Int
    ) throws(ObscuraError) {
        guard let place = timeline.place(sample.presentationTime) else { return }
        if index == main, isPartBegun, !nextParts.isEmpty { beginPart(with: sample, at: track.end) }
        let packets = try track.append(sample, at: place)
        if index == main, track.hasSound { isPartBegun = true }
        try write(packets, track: index)
    }

    private func append(_ text: TimedText, to track: TimedTrack, _ index: Int) throws(ObscuraError) {
        guard let place = timeline.place(text.time),
            let packet = try track.packet(text, at: place, floor: timeline.offset)
        else { return }
        if case .chapters = descriptions[index].content { chapters.append((packet.time, text.text)) }
        try write([packet], track: index)
    }

    /// Starts a new file with the next frame if the current part has a frame; otherwise with the frame after it.
    func split(to output: MovieFile.Request) {
        nextParts.append((output, .now))
    }

    // MARK: The end

    func finish() throws(ObscuraError) -> WriterReport {
        // If the last segment was ended explicitly, the last frame is shown up to that time.
        let end = timeline.start == nil && timeline.offset > .zero ? timeline.offset : nil
        var failure: ObscuraError?
        do throws(ObscuraError) {
            for (index, track) in tracks.enumerated() {
                guard let audio = track.audio else { continue }
                if timeline.start != nil { try write(audio.endStretch(at: nil), track: index) }
                try write(audio.finish(), track: index)
            }
            for (index, track) in tracks.enumerated() {
                if let video = track.video { try write(video.finish(at: end), track: index) }
            }
            try releaseLocations(at: self.end)
        } catch {
            failure = error
        }
        return try close(after: failure)
    }

    /// Finishes the files without the frames that are still in the encoders.
    func close(after failure: ObscuraError?) throws(ObscuraError) -> WriterReport {
        if failure != nil {
            // The held frame of a copy is complete.
            for (index, track) in tracks.enumerated() {
                if let copied = track.video as? CopiedVideoTrack { try? write(copied.finish(at: nil), track: index) }
            }
            try? releaseLocations(at: end)
        }
        omittedParts = nextParts.map(\.request.path)
        // The samples of these parts never arrived, or were lost with the encoder.
        while files.count > 1, let last = files.last, last.isEmpty {
            omittedParts.insert(last.path.target, at: 0)
            last.discard()
            files.removeLast()
        }
        while files.count > 1 { finishFirst() }
        // The process may exit once the end is reported, so the earlier parts must be complete by then.
        defer { finisher.wait() }
        let file = files[0]
        if !file.isBegun, failure == nil, !early.isEmpty { try? begin(file, withoutVideo: true) }
        var failure = failure
        do throws(ObscuraError) {
            let report = try PartFinisher.report(file, facts(of: file))
            guard failure != nil else { return report }
            failure?.setUsableFile(report.path)
        } catch {
            failure = failure ?? error
            failure?.setUsableFile(error.usableFile)
        }
        throw failure ?? .outOfMemory(.recording, subject)
    }

    func discard() {
        for file in files { file.discard() }
    }

    // MARK: Packets and files

    private func write(_ packets: [EncodedPacket], track: Int) throws(ObscuraError) {
        for packet in packets {
            if packet.isVideo {
                codedPictures += 1
                if track == main { try handOut(packet) }
            }
            if !files[0].isBegun {
                early.append((packet, track))
                try checkWait(until: packet.time)
                try begin(files[0], withoutVideo: false)
            } else {
                try put(packet, track)
            }
        }
    }

    /// Throws if the header has waited too long for the first frame of a track.
    private func checkWait(until time: MediaTime) throws(ObscuraError) {
        guard let first = early.first?.packet.time, time - first > Self.longestWait else { return }
        let missing = tracks.indices.filter { tracks[$0].video?.isOpen == false }.map { descriptions[$0].name($0) }
        throw ObscuraError(
            .recording, .invalidState, subject: subject,
            reason: "no frame was appended to \(missing.joined(separator: ", ")), but other tracks received samples "
                + "for a minute",
            advice: "Append frames, or write a movie without this video.")
    }

    private func put(_ packet: EncodedPacket, _ track: Int) throws(ObscuraError) {
        guard !isFull else { return }
        let time = packet.time
        guard let file = files.last(where: { $0.start <= time }) ?? files.first else { return }
        let content = descriptions[track].content
        if stopped.contains(track) {
            guard time >= files[0].start else { return }
            stopped.remove(track)
        }
        if try file.write(packet, track: track), content.isVideo || content.isAudio {
            delivery?.record(packet, .written)
        }
        passed[track] = time
        // All streams of frames and audio have passed the start of the next file.
        while files.count > 1, hasPassed(files[1].start) {
            stopped.formUnion(tracks.indices.filter { hasStopped($0, before: files[1].start) })
            finishFirst()
        }
    }

    /// Writes the last location of each track, which is valid up to `place`.
    private func releaseLocations(at place: MediaTime) throws(ObscuraError) {
        for (index, track) in tracks.enumerated() {
            if case .timed(let track) = track { try write(track.release(at: place), track: index) }
        }
    }

    private func hasPassed(_ start: MediaTime) -> Bool {
        tracks.indices.allSatisfy { index in
            switch tracks[index] {
            case .timed: true
            case .audio(let track) where index != main && !track.hasSound: true
            case .audio, .video: passed[index, default: .zero] >= start || hasStopped(index, before: start)
            }
        }
    }

    /// Whether a live track other than the first video, such as that of a lost microphone, has stopped before this part, and
    /// the part begins too long ago to wait for it.
    private func hasStopped(_ index: Int, before start: MediaTime) -> Bool {
        guard isLive, index != main, tracks[index].timed == nil, passed[index, default: .zero] < start,
            let time = passed[main]
        else { return false }
        return time - max(start, tracks[index].end) > Self.longestStop
    }

    /// The times of the last packets, by track.
    private var passed: [Int: MediaTime] = [:]
    /// The tracks without which the previous part was finished.
    private var stopped: Set<Int> = []

    /// If a new file cannot be created, the current part continues.
    private func beginPart(with sample: MediaSample, at place: MediaTime) {
        let (output, requested) = nextParts.removeFirst()
        let time = sample.hostTime
        begunParts += 1
        if sample.isEncoded, sample.isVideo {
            onKeyFrameWait?(KeyFrameWait(end: place, duration: max(.zero, time - requested)))
        }
        do throws(ObscuraError) {
            try releaseLocations(at: place)
            try begin(output, at: place, time)
            for index in tracks.indices where index != main && tracks[index].video != nil { dueKeys[index] = place }
        } catch {
            finisher.fail(error)
        }
    }

    private func begin(_ output: MovieFile.Request, at place: MediaTime, _ time: HostTime) throws(ObscuraError) {
        let file = try MovieFile(output, start: place)
        try file.begin(makeStreams(), at: isLive ? time : nil)
        files.append(file)
    }

    /// Writes the header, if the streams are known, and the packets that waited for it.
    private func begin(_ file: MovieFile, withoutVideo: Bool) throws(ObscuraError) {
        guard withoutVideo || videos.allSatisfy(\.isOpen) else { return }
        try file.begin(makeStreams(), at: isLive ? early.map(\.packet.hostTime).min() : nil)
        let waiting = early
        early = []
        for (packet, track) in waiting { try put(packet, track) }
    }

    private func makeStreams() throws(ObscuraError) -> EncodedStreams {
        var made: [TrackStream?] = []
        for (track, description) in zip(tracks, descriptions) {
            made.append(try track.makeStream(description, container))
        }
        return EncodedStreams(made)
    }

    /// Finishes the oldest file, in parallel to encoding.
    private func finishFirst() {
        let file = files.removeFirst()
        finisher.finish(file, facts(of: file))
    }

    private func facts(of file: MovieFile) -> PartFinisher.Facts {
        let end = file.start + file.duration
        let chapters = chapters.filter { $0.start >= file.start && $0.start < end }.map {
            ($0.start - file.start, $0.title)
        }
        return PartFinisher.Facts(
            videoEncoder: videos.first?.encoderName, audioEncoder: audios.first?.encoderName,
            skippedFrameCount: videos.reduce(0) { $0 + $1.skippedCount }, audioDrift: audios.first?.drift,
            chapters: chapters)
    }

    private func handOut(_ packet: EncodedPacket) throws(ObscuraError) {
        guard let onEncodedFrame else { return }
        if parameters == nil { parameters = try tracks[main].video?.makeStream()?.video }
        guard let parameters else { return }
        let isKey = packet.isKey
        onEncodedFrame(
            EncodedFrame(
                format: parameters.frameFormat, data: (isKey ? parameters.sets : []) + packet.bytes,
                width: parameters.size.width,
                height: parameters.size.height, isKeyFrame: isKey, presentationTime: packet.time,
                hostTime: packet.hostTime, duration: packet.length, sequence: sequence),
            parameters)
        sequence += 1
    }
}
