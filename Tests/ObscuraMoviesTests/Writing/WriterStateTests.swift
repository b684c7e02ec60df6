// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite(.hangLimit) struct WriterStateTests {
    private typealias Machine = WriterStateMachine

    /// Each call, and the word for what came of it.
    private static let calls: [(String, @Sendable (inout Machine) throws(ObscuraError) -> Void)] = [
        ("append", { machine throws(ObscuraError) in try machine.checkAppend() }),
        ("start", { machine throws(ObscuraError) in try machine.startSession() }),
        ("end", { machine throws(ObscuraError) in try machine.endSession() }),
        ("split", { machine throws(ObscuraError) in try machine.checkSplit() }),
        ("finish", { machine throws(ObscuraError) in try machine.finish() }),
        ("fail", { machine throws(ObscuraError) in machine.fail(.outOfMemory(.recording, "test")) }),
        ("cancel", { machine throws(ObscuraError) in _ = machine.cancel() }),
    ]

    @Test("Every call in every state does what the drawing says")
    func transitions() throws {
        func name(_ machine: Machine) -> String {
            switch machine.state {
            case .idle: "idle"
            case .writing: "writing"
            case .failed: "failed"
            case .finished: "finished"
            case .cancelled: "cancelled"
            }
        }
        let states: [String: [String]] = [
            "idle": [], "writing": ["start"], "failed": ["fail"], "finished": ["finish"], "cancelled": ["cancel"],
        ]
        let expected: [String: [String]] = [
            "idle": ["invalidState", "writing", "invalidState", "idle", "finished", "failed", "cancelled"],
            "writing": ["writing", "invalidState", "idle", "writing", "finished", "failed", "cancelled"],
            "failed": ["outOfMemory", "outOfMemory", "outOfMemory", "outOfMemory", "finished", "failed", "cancelled"],
            "finished": [
                "invalidState", "invalidState", "invalidState", "invalidState", "invalidState", "finished", "finished",
            ],
            "cancelled": [
                "cancelled!", "cancelled!", "cancelled!", "cancelled!", "cancelled!", "cancelled", "cancelled",
            ],
        ]
        for (state, path) in states {
            var results: [String] = []
            for call in Self.calls {
                var machine = Machine(subject: "movie")
                for step in path { try Self.calls.first { $0.0 == step }?.1(&machine) }
                #expect(name(machine) == state)
                do throws(ObscuraError) {
                    try call.1(&machine)
                    results.append(name(machine))
                } catch {
                    #expect(name(machine) == state)
                    results.append(error.code == .cancelled ? "cancelled!" : error.code.description)
                }
            }
            #expect(results == expected[state], "\(state)")
        }
    }

    @Test("The stretches of a recording follow one another")
    func timeline() {
        func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 10) }
        var timeline = SessionTimeline()
        #expect(timeline.place(time(5)) == nil)
        timeline.begin(at: time(100))
        #expect(timeline.place(time(90)) == time(-10) && timeline.place(time(130)) == time(30))
        timeline.end(at: time(150), movieEnd: time(47))
        #expect(timeline.place(time(151)) == nil && timeline.offset == time(50))
        timeline.begin(at: time(20))
        #expect(timeline.place(time(20)) == time(50) && timeline.place(time(19)) == time(49))
        timeline.end(at: nil, movieEnd: time(77))
        #expect(timeline.offset == time(77))
        timeline.begin(at: time(500))
        timeline.end(at: time(400), movieEnd: time(77))
        #expect(timeline.offset == time(77), "a stretch that ends before it begins is empty")
    }

    @Test("The names of a recording are told apart from others")
    func paths() {
        let path = RecordingPath("folder.d/movie.mp4")
        #expect(path.partial == "folder.d/movie.recording.mp4")
        #expect(path.finishing == "folder.d/.movie.mp4.finishing")
        #expect(RecordingPath(partial: "folder.d/movie.recording.mp4")?.target == "folder.d/movie.mp4")
        #expect(RecordingPath(partial: "a.b.recording.mkv")?.target == "a.b.mkv")
        for name in ["movie.mp4", ".recording.mp4", "recording.mp4", "movie.recording", "a.recording.d/movie.mp4"] {
            #expect(RecordingPath(partial: name) == nil, "\(name)")
        }
        #expect(RecordingPath("movie").partial == "movie.recording")
    }

    @Test("A reader that does not wait is refused while the encoder is behind, and a waiting one can be cancelled")
    func fullQueue() async throws {
        let encoder = StalledEncoder()
        let path = try Recordings.path("movie.mp4")
        let writer = try AssetWriter(path: path, video: VideoSettings(codec: .mjpeg), options: encoder.options)
        try writer.startSession(at: .zero)
        func frame(_ number: Int64) throws -> VideoFrame {
            try Recordings.frame(Int(number), at: MediaTime(value: number, timescale: 30))
        }
        // The second picture tells the duration of the first, which is then handed out, and held up.
        var taken: Int64 = 0
        while !encoder.isStalled {
            if try writer.append(frame(taken), until: .now + .milliseconds(20)) { taken += 1 }
        }
        while try writer.tryAppend(frame(taken)) { taken += 1 }
        #expect(writer.progress.waitingCount == 2)
        #expect(try !writer.append(frame(taken), until: .now + .milliseconds(5)))
        let (late, later) = (try frame(taken), try frame(taken + 1))
        let waiting = Task { try await writer.append(late) }
        let other = Task { try await writer.append(later) }
        waiting.cancel()
        await #expect { try await waiting.value } throws: { ($0 as? ObscuraError)?.code == .cancelled }
        encoder.goOn()
        try await other.value
        let report = try await writer.finish()
        #expect(report.videoFrameCount == Int(taken) + 1)
        #expect(try Probe(path).frames.count == Int(taken) + 1)
    }

    @Test("While the encoder is behind, more pieces of sound may wait than frames, since they are shorter")
    func roomForSound() async throws {
        let encoder = StalledEncoder()
        let path = try Recordings.path("sound.mp4")
        let audio = AudioSettings(codec: .aac, sampleRate: 8000, channelCount: 1)
        let writer = try AssetWriter(
            path: path, video: VideoSettings(codec: .mjpeg), audio: audio, options: encoder.options)
        try writer.startSession(at: .zero)
        var taken: Int64 = 0
        while !encoder.isStalled {
            let frame = try Recordings.frame(Int(taken), at: MediaTime(value: taken, timescale: 30))
            if try writer.append(frame, until: .now + .milliseconds(20)) { taken += 1 }
        }
        var pieces = 0
        func sound() -> AudioBuffer {
            AudioBuffer(
                format: AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1),
                samples: .int16(Array(repeating: 0, count: 80)),
                presentationTime: MediaTime(value: Int64(pieces), timescale: 100), hostTime: .now)
        }
        while try writer.tryAppend(sound()) { pieces += 1 }
        #expect(pieces == 16)
        encoder.goOn()
        // One that waits gets its turn.
        try await writer.append(sound())
        try await writer.finish()
    }
}

/// Holds up a writer whose queue has two places at its first compressed picture, until it is told to go on.
private final class StalledEncoder: Sendable {
    private let gate = Lock(false)
    private let stalled = Lock(false)

    var isStalled: Bool { stalled.withLock { $0 } }

    var options: AssetWriter.Options {
        var options = AssetWriter.Options()
        options.queueDepth = 2
        options.onEncodedFrame = { [gate, stalled] _, _ in
            stalled.withLockSignalling { $0 = true }
            _ = gate.wait { $0 ? true : nil }
        }
        return options
    }

    func goOn() {
        gate.withLockSignalling { $0 = true }
    }
}
