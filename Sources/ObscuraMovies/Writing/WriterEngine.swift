// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The work of the writer on its thread: timing, encoding and writing. One thread at a time.
///
/// Tracks and files are independent: a packet goes to the file whose part of the recording contains its time. A
/// recording can therefore continue in another file with the same encoders, without lost or duplicated frames.
final class WriterEngine {
    /// Maximum duration of audio that waits for the first frame, which determines the file header.
    private static let longestWait = MediaTime(value: 60, timescale: 1)

    let video: (any VideoPacketTrack)?
    let audio: (any AudioPacketTrack)?
    private let subject: String
    /// Whether the host times of the samples are their times of capture.
    private let isLive: Bool
    private let onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?
    private let onPart: (@Sendable (Result<WriterReport, ObscuraError>) -> Void)?
    private let onKeyFrameWait: (@Sendable (KeyFrameWait) -> Void)?
    private var timeline = SessionTimeline()
    /// The current part, preceded by the parts for which packets may still arrive, in order.
    private var files: [MovieFile]
    /// Packets that wait for the header.
    private var early: [EncodedPacket] = []
    /// The parts that begin with the next frames. Each has at least one frame, so one begins when the previous part
    /// has.
    private var nextParts: [(request: MovieFile.Request, time: HostTime)] = []
    /// Number of requested parts that have begun or failed to begin.
    private(set) var begunParts = 0
    /// Whether the current part has a frame or, in a movie without video, audio.
    private var isPartBegun = false
    /// Paths of the requested parts without samples, for which no file exists. Complete at the end.
    private(set) var omittedParts: [String] = []
    private var parameters: VideoParameters?
    private var sequence: UInt64 = 0

    /// Number of parts that are being finished.
    private let unfinished = Lock(0)
    private static let finishing = WorkerPool(name: "finish-movie", threads: 1)

    init(
        _ output: MovieFile.Request, isLive: Bool, video: (any VideoPacketTrack)?, audio: (any AudioPacketTrack)?,
        onEncodedFrame: (@Sendable (EncodedFrame, VideoParameters) -> Void)?,
        onPart: (@Sendable (Result<WriterReport, ObscuraError>) -> Void)?,
        onKeyFrameWait: (@Sendable (KeyFrameWait) -> Void)?
    ) throws(ObscuraError) {
        subject = output.path
        self.isLive = isLive
        self.video = video
        self.audio = audio
        self.onKeyFrameWait = onKeyFrameWait
        self.onEncodedFrame = onEncodedFrame
        self.onPart = onPart
        files = [try MovieFile(output)]
    }

    /// Size of the current part in bytes.
    var byteCount: Int64 { files.last?.byteCount ?? 0 }
    /// Whether a file has reached its size limit; all later packets are rejected as well.
    var isFull: Bool { files.contains(where: \.isFull) }
    /// Expected size of the current part, including the frames in the encoder and one more frame of the largest size.
    var expectedByteCount: Int64 {
        guard let file = files.last, !file.isEmpty else { return 0 }
        let held = Int64((video?.frameCount ?? 0) - codedPictures)
        let average = file.videoFrameCount > 0 ? file.pictureBytes / Int64(file.videoFrameCount) : 0
        return file.expectedByteCount + held * average + file.largestPacket
    }
    private var codedPictures = 0

    /// Duration of the current part, by the appended samples.
    var duration: MediaTime { max(.zero, end - (files.last?.start ?? .zero)) }

    /// The end of the movie, by the appended samples.
    private var end: MediaTime { max(video?.end ?? .zero, audio.map { $0.hasSound ? $0.end : .zero } ?? .zero) }

    // MARK: Samples

    func startSession(at time: MediaTime) {
        timeline.begin(at: time)
        audio?.begin(at: timeline.offset)
    }

    func endSession(at time: MediaTime?) throws(ObscuraError) {
        let place = time.flatMap { timeline.place($0) }
        if let audio { try write(audio.endStretch(at: place)) }
        timeline.end(at: time, movieEnd: end)
    }

    func append(_ sample: MediaSample) throws(ObscuraError) {
        if sample.isVideo { try appendVideo(sample) } else { try appendAudio(sample) }
    }

    private func appendVideo(_ sample: MediaSample) throws(ObscuraError) {
        guard let video, let place = timeline.place(sample.presentationTime), place >= timeline.offset else { return }
        var isKey = false
        // Uses the time that the packet will have; otherwise rounding could assign it to the previous part.
        if isPartBegun, !nextParts.isEmpty, let time = try video.time(of: sample, at: place) {
            isKey = true
            beginPart(with: sample, at: time)
        }
        let packets = try video.append(sample, at: place, isKey: isKey)
        isPartBegun = isPartBegun || video.frameCount > 0
        try write(packets)
    }

    private func appendAudio(_ sample: MediaSample) throws(ObscuraError) {
        guard let audio, let place = timeline.place(sample.presentationTime) else { return }
        if video == nil, isPartBegun, !nextParts.isEmpty { beginPart(with: sample, at: audio.end) }
        let packets = try audio.append(sample, at: place)
        if video == nil, audio.hasSound { isPartBegun = true }
        try write(packets)
        guard let first = early.first?.time, !files[0].isBegun else { return }
        if audio.end - first > Self.longestWait {
            throw ObscuraError(
                .recording, .invalidState, subject: subject,
                reason: "no frame was appended during a minute of audio",
                advice: "Append frames, or write a movie without video.")
        }
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
            if let audio {
                if timeline.start != nil { try write(audio.endStretch(at: nil)) }
                try write(audio.finish())
            }
            if let video { try write(video.finish(at: end)) }
        } catch {
            failure = error
        }
        return try close(after: failure)
    }

    /// Finishes the files without the frames that are still in the encoders.
    func close(after failure: ObscuraError?) throws(ObscuraError) -> WriterReport {
        // The held frame of a copy is complete.
        if failure != nil, let copied = video as? CopiedVideoTrack { try? write(copied.finish(at: nil)) }
        omittedParts = nextParts.map(\.request.path)
        // The samples of these parts never arrived, or were lost with the encoder.
        while files.count > 1, let last = files.last, last.isEmpty {
            omittedParts.insert(last.path.target, at: 0)
            last.discard()
            files.removeLast()
        }
        while files.count > 1 { finishFirst() }
        // The process may exit once the end is reported, so the earlier parts must be complete by then.
        defer { _ = unfinished.wait { $0 == 0 ? true : nil } }
        let file = files[0]
        if !file.isBegun, failure == nil, !early.isEmpty { try? begin(file, withoutVideo: true) }
        var failure = failure
        do throws(ObscuraError) {
            let report = try report(file)
            guard failure != nil else { return report }
            failure?.usableFile = report.path
        } catch {
            failure = failure ?? error
            failure?.usableFile = error.usableFile
        }
        throw failure ?? .outOfMemory(.recording, subject)
    }

    func discard() {
        for file in files { file.discard() }
    }

    // MARK: Packets and files

    private func write(_ packets: [EncodedPacket]) throws(ObscuraError) {
        for packet in packets {
            if packet.isVideo {
                codedPictures += 1
                try handOut(packet)
            }
            if !files[0].isBegun {
                early.append(packet)
                try begin(files[0], withoutVideo: false)
            } else {
                try put(packet)
            }
        }
    }

    private func put(_ packet: EncodedPacket) throws(ObscuraError) {
        guard !isFull else { return }
        let time = packet.time
        guard let file = files.last(where: { $0.start <= time }) ?? files.first else { return }
        try file.write(packet)
        if packet.isVideo || video == nil { passed.video = time } else { passed.audio = time }
        // Both streams have passed the start of the next file.
        while files.count > 1, passed.video >= files[1].start,
            video == nil || audio?.hasSound != true || passed.audio >= files[1].start
        {
            finishFirst()
        }
    }

    /// The times of the last packets.
    private var passed = (video: MediaTime.zero, audio: MediaTime.zero)

    /// If a new file cannot be created, the current part continues.
    private func beginPart(with sample: MediaSample, at place: MediaTime) {
        let (output, requested) = nextParts.removeFirst()
        let time = sample.hostTime
        begunParts += 1
        if sample.isEncoded, sample.isVideo {
            onKeyFrameWait?(KeyFrameWait(end: place, duration: max(.zero, time - requested)))
        }
        do throws(ObscuraError) {
            try begin(output, at: place, time)
        } catch {
            onPart?(.failure(error))
        }
    }

    private func begin(_ output: MovieFile.Request, at place: MediaTime, _ time: HostTime) throws(ObscuraError) {
        let file = try MovieFile(output, start: place)
        try file.begin(EncodedStreams(video, audio), at: isLive ? time : nil)
        files.append(file)
    }

    /// Writes the header, if the streams are known, and the packets that waited for it.
    private func begin(_ file: MovieFile, withoutVideo: Bool) throws(ObscuraError) {
        guard video == nil || video?.isOpen == true || withoutVideo else { return }
        try file.begin(EncodedStreams(video, audio), at: isLive ? early.map(\.hostTime).min() : nil)
        let waiting = early
        early = []
        for packet in waiting { try put(packet) }
    }

    /// Finishes the oldest file, in parallel to encoding.
    private func finishFirst() {
        let handed = Handed(file: files.removeFirst(), engine: names)
        let (onPart, unfinished) = (onPart, unfinished)
        unfinished.withLock { $0 += 1 }
        Self.finishing.async {
            defer { unfinished.withLockSignalling { $0 -= 1 } }
            do throws(ObscuraError) {
                let report = try Self.report(handed.file, handed.engine)
                onPart?(.success(report))
            } catch {
                onPart?(.failure(error))
            }
        }
    }

    /// A file that no other thread uses any more.
    ///
    /// `Sendable` is safe because the engine gives up its reference first, and a single job uses the file.
    private struct Handed: @unchecked Sendable {
        let file: MovieFile
        let engine: Names
    }

    private struct Names: Sendable {
        var video: String?
        var audio: String?
        var skipped: Int
        var drift: Double?
    }

    private var names: Names {
        Names(
            video: video?.encoderName, audio: audio?.encoderName, skipped: video?.skippedCount ?? 0,
            drift: audio?.drift)
    }

    private func report(_ file: MovieFile) throws(ObscuraError) -> WriterReport {
        try Self.report(file, names)
    }

    private static func report(_ file: MovieFile, _ names: Names) throws(ObscuraError) -> WriterReport {
        let (byteCount, isFragmented) = try file.finish()
        return WriterReport(
            path: file.path.target, start: file.start, duration: file.duration, videoFrameCount: file.videoFrameCount,
            skippedFrameCount: names.skipped, byteCount: byteCount, videoEncoder: names.video,
            audioEncoder: names.audio, audioDrift: names.drift, isFragmented: isFragmented)
    }

    private func handOut(_ packet: EncodedPacket) throws(ObscuraError) {
        guard let onEncodedFrame else { return }
        if parameters == nil { parameters = try video?.makeStream()?.parameters }
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
