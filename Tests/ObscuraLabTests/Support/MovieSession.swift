// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// A session on a camera and on the sound card of the guest that records them.
struct MovieSession {
    let session = CaptureSession()
    let output: MovieFileOutput
    let events: EventRecord
    let path: String
    /// What came of the camera and of the card, as readers beside the movie see it.
    private let taken = Taken()
    private let pictures = VideoDataOutput(name: "watch", latePolicy: .bounded(64))
    private let sound = AudioDataOutput(name: "watch", latePolicy: .bounded(400))

    /// H.264, of which the encoder in its usual form is quick enough in the guest; and FLAC, since an emulated
    /// processor needs half of its time for AAC. AAC is heard in the tests of recording.
    static let video = {
        var settings = VideoSettings()
        // The guest has none, and looks for them for a second.
        settings.encoders.hardware = .never
        return settings
    }()
    static let audio = AudioSettings(codec: .flac, sampleRate: soundFormat.sampleRate, channelCount: 1)
    /// The card's times are off by so many seconds where the host is busy: its ticks are the processor's.
    private static let tremble = 0.25
    static let soundFormat = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1)

    /// - Parameters:
    ///   - camera: its node.
    ///   - format: its mode; nil takes the one that it has.
    ///   - movie: the name of the movie, which says of what kind it is.
    init(
        _ camera: String, format: VideoFormat? = nil, movie: String,
        cameraDisconnected: CaptureDeviceInput.DisconnectionPolicy = .wait,
        microphoneDisconnected: CaptureDeviceInput.DisconnectionPolicy = .wait
    ) async throws {
        path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)-\(movie)").path
        let output = MovieFileOutput(video: Self.video, audio: Self.audio)
        self.output = output
        events = EventRecord(session)
        let camera = try CaptureDeviceInput(
            device: .named("camera:\(camera)"), whenDisconnected: cameraDisconnected)
        let microphone = try CaptureDeviceInput(
            device: .named("microphone:\(LoopbackCard.name)"), whenDisconnected: microphoneDisconnected)
        let (pictures, sound) = (pictures, sound)
        try await session.configure {
            try $0.addInput(camera)
            try $0.addInput(microphone)
            if let format { try $0.setFormat(format, for: camera) }
            try $0.setAudioFormat(Self.soundFormat, for: microphone)
            try $0.addOutput(output)
            try $0.addOutput(pictures)
            try $0.addOutput(sound)
        }
        pictures.setDelegate(taken)
        sound.setDelegate(taken)
    }

    /// How many pictures have come.
    var pictureCount: Int { taken.frames.count }

    /// How many frames of sound have come.
    var heardFrames: UInt64 { session.ledger.inputs.reduce(0) { $0 + $1.audio.sampleFrames } }

    /// The rate of the card relative to its nominal one, in parts per million, as far as it is known.
    var clockDrift: Double? { session.ledger.inputs.compactMap(\.audio.clockDrift).first }

    /// Waits until so many seconds are recorded; returns whether it came to that.
    func reaches(_ seconds: Double) async -> Bool {
        var mark = 0.0
        // Each five seconds have the limit of patience for themselves.
        while mark < seconds {
            mark = min(seconds, mark + 5)
            let isThere = await becomes { output.recordedDuration.seconds >= mark || !output.isRecording }
            guard isThere, output.isRecording else { return false }
        }
        return true
    }

    /// Waits for the end of a recording that nobody stops.
    func end() async -> RecordingResult? {
        // What has ended by itself is what a stop returns.
        await becomes { !output.isRecording } ? await output.stopRecording() : nil
    }

    /// Expects that others play the movie, that it has what the camera and the card gave, and each in its place.
    ///
    /// Each picture must have the time of a frame of the camera, and from the first to the last none may be missing but
    /// those that the books of the movie's reader count. The sound must go on up to the end of the movie, or up to
    /// where the card ended before.
    ///
    /// - Parameter isWhole: whether it must have all pictures of the camera, from the first to the last: the recording
    ///   began before the session.
    /// - Returns: the times of the pictures.
    func expectWholeMovie(
        _ result: RecordingResult, isWhole: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Double] {
        #expect(result.isUsable && result.error == nil, "\(result)", sourceLocation: sourceLocation)
        #expect(result.path == path, sourceLocation: sourceLocation)
        let written = result.report?.duration.seconds ?? 0
        #expect(abs(written - result.duration.seconds) < Self.tremble, "\(result)", sourceLocation: sourceLocation)
        let complaints = try Tool.complaints(playing: path)
        #expect(complaints.isEmpty, "\(complaints)", sourceLocation: sourceLocation)
        let times = try Probe(path).frames.compactMap { $0.time?.seconds }
        #expect(times.count == result.report?.videoFrameCount, sourceLocation: sourceLocation)
        for reader in session.ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader)", sourceLocation: sourceLocation)
        }
        // The movie begins with the frame from which on all its times are those of frames.
        let taken = taken.frames
        func place(_ frame: HostTime, after first: HostTime) -> Double {
            Double((frame - first).wholeNanoseconds) / 1e9
        }
        let first = taken.indices.first { first in
            let places = taken[first...].map { place($0, after: taken[first]) }
            return times.allSatisfy { time in places.contains { abs($0 - time) < 0.001 } }
        }
        let start = try #require(first, "\(times) are not the times of \(taken)", sourceLocation: sourceLocation)
        // At a regular rate a movie that begins later and lacks the last picture has the same times.
        if isWhole { #expect(start == 0, "\(times), \(taken)", sourceLocation: sourceLocation) }
        let end = isWhole ? .infinity : (times.last ?? 0) + 0.001
        let count = taken[start...].count { place($0, after: taken[start]) < end }
        let books = session.ledger.readers.filter { $0.name.hasPrefix("movie delegate") }.map(\.frames)
        let dropped = books.reduce(0) { $0 + Int($1.dropped.total) }
        #expect(count - times.count <= dropped, "\(times), \(taken)", sourceLocation: sourceLocation)

        let heard = Double(try decodedSound().count) / Double(Self.soundFormat.sampleRate)
        let soundEnd = min(result.duration.seconds, place(self.taken.soundEnd, after: taken[start]))
        #expect(
            abs(heard - soundEnd) < Self.tremble, "\(heard), \(soundEnd), \(result)", sourceLocation: sourceLocation)
        return times
    }

    /// The sound of the movie, as `ffmpeg` decodes it.
    func decodedSound() throws -> [Float] {
        let bytes = try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-vn", "-f", "f32le", "-"])
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}

/// When frames were taken, and when the last sound was, on CLOCK_MONOTONIC.
private final class Taken: VideoDataOutputDelegate, AudioDataOutputDelegate {
    private let times = Lock<(frames: [HostTime], soundEnd: HostTime)>(([], HostTime(nanoseconds: 0)))

    var frames: [HostTime] { times.withLock { $0.frames } }
    var soundEnd: HostTime { times.withLock { $0.soundEnd } }

    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        times.withLock { $0.frames.append(frame.hostTime) }
    }

    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
        times.withLock { $0.soundEnd = sound.hostTime + sound.duration.duration }
    }
}
