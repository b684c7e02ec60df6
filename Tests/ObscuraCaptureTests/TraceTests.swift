// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// What drivers deliver is written to a file, and played back.
@Suite struct TraceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a session delivered and announced.
    private struct Playback: Equatable {
        var sequences: [UInt64] = []
        var gaps: [UInt64] = []
        var discontinuities: [Bool] = []
        var steps: [MediaTime] = []
        var events: [String] = []
        var input: [UInt64] = []
        var frames: ReaderLedger?
        /// What the frames of the test pattern show.
        var shown: [UInt64?] = []
    }

    private static let format = VideoFormat(pixelFormat: .gray8, width: 350, height: 96, frameRate: FrameRate(30))

    /// A camera with each fault, all over within a second.
    private static func faultyCamera(_ ending: ReplayEvent.Kind = .end) throws -> ReplayDriver {
        let picture = ReplayEvent.Kind.frame(try PixelBuffer(format: .gray8, width: 350, height: 96))
        let kinds: [ReplayEvent.Kind] = [
            picture, picture, .gap(3), picture, .brokenFrame, picture, .stall, picture, .clockJump(.seconds(-5)),
            picture,
            .unplug, picture, .clockJump(.seconds(7)), .brokenFrame, picture, ending,
        ]
        return ReplayDriver(
            name: "faulty", formats: [format],
            script: kinds.enumerated().map { ReplayEvent(at: .milliseconds(10 * $0.offset + 10), $0.element) })
    }

    /// Plays a camera until it ends, in a session that is traced if `path` is given.
    private func play(
        _ driver: some CaptureDriver, clock: any CaptureClock = SystemClock(), tracingTo path: String? = nil,
        _ options: SessionTrace.Options = SessionTrace.Options()
    ) async throws -> Playback {
        let output = VideoDataOutput(latePolicy: driver.isLive ? .bounded(100) : .lossless, leaseLimit: 100)
        let session = try await CaptureSession.of(driver, [output], clock: clock)
        let trace = try path.map { try session.trace(to: $0, options: options) }
        let events = EventRecord(session)
        var iterator = output.frames.makeAsyncIterator()
        try await session.start()
        if let clock = clock as? ManualClock {
            #expect(clock.nextDeadline(within: waitLimit) != nil)
            // A trace has the times of the system's clock, which a busy machine spreads over any number of seconds.
            clock.advance(by: .seconds(3600))
        }
        var playback = Playback()
        var last: MediaTime?
        do {
            while let frame = try await iterator.next() {
                playback.sequences.append(frame.sequence)
                playback.gaps.append(frame.attachments.gap)
                playback.discontinuities.append(frame.attachments.isDiscontinuity)
                playback.steps.append(frame.presentationTime - (last ?? frame.presentationTime))
                playback.shown.append(PatternScene.readSequence(of: frame.buffer))
                last = frame.presentationTime
            }
        } catch {}
        #expect(await becomes { events.all.last == "stopped" })
        session.expectBalance()
        playback.events = events.all
        let input = try #require(session.ledger.inputs.first)
        playback.input = [input.received, input.gaps, input.lost]
        playback.frames = try session.reader("video loop").frames
        let report = try await trace?.finish()
        #expect(report.map { $0.omittedRecords + $0.omittedPictures } ?? 0 == 0)
        return playback
    }

    @Test(.hangLimit) func `A trace with each fault is played back the same each time`() async throws {
        let path = folder("faults.trace")
        let original = try await play(Self.faultyCamera(), clock: ManualClock(now: .now), tracingTo: path)
        #expect(original.sequences == [0, 1, 5, 7, 8, 9, 10, 12] && original.input == [8, 3, 2])
        #expect(
            original.events == [
                "started", "interrupted: stalled", "interruption ended", "interrupted: deviceDisconnected",
                "interruption ended", "stopped",
            ])
        for _ in 0..<(isLongForm ? 100 : 10) {
            var replay = try await play(ReplayDriver(trace: path, isLive: false))
            #expect(replay.shown == original.sequences)
            replay.shown = original.shown
            #expect(replay == original)
        }
    }

    @Test(.hangLimit) func `In real time, records come at their times`() async throws {
        let path = folder("live.trace")
        let original = try await play(Self.faultyCamera(), clock: ManualClock(now: .now), tracingTo: path)
        // The trace of a manual clock has no times worth waiting for; of the replay, a second trace has.
        let clock = ManualClock(now: .now)
        let replay = try await play(ReplayDriver(trace: path), clock: clock)
        #expect(replay.sequences == original.sequences && replay.events == original.events)
        #expect(replay.steps == original.steps && replay.gaps == original.gaps)
    }

    @Test(.hangLimit) func `A device that fails does so again, with the same error`() async throws {
        let error = ObscuraError(.capture, .deviceFailed, subject: "rtsp://me:secret@host/", reason: "it is broken")
        let path = folder("failed.trace")
        let original = try await play(
            Self.faultyCamera(.error(error)), clock: ManualClock(now: .now), tracingTo: path)
        #expect(original.events.contains("error: deviceFailed"))
        let replay = try await play(ReplayDriver(trace: path, isLive: false))
        #expect(replay.events == original.events && replay.sequences == original.sequences)
        #expect(try !folder.text(of: "failed.trace").contains("secret"))
    }

    @Test(.hangLimit) func `With pictures, the replay shows them`() async throws {
        var options = SessionTrace.Options()
        options.includesPictures = true
        let driver = PatternDriver(size: PixelSize(width: 350, height: 96), frameRate: FrameRate(30), isLive: false)
        let path = folder("pictures.trace")
        let output = VideoDataOutput(latePolicy: .lossless, leaseLimit: 20)
        let session = try await CaptureSession.of(driver, [output])
        let trace = try session.trace(to: path, options: options)
        try await session.start()
        var originals: [UInt64: PixelBuffer] = [:]
        for try await frame in output.frames {
            originals[frame.sequence] = frame.buffer
            if originals.count == 10 { break }
        }
        await session.stop()
        try await trace.finish()
        let replay = VideoDataOutput(pixelFormat: .i420, latePolicy: .lossless)
        // A JPEG has the full range.
        replay.colorSpace = .bt601
        let second = try await CaptureSession.of(ReplayDriver(trace: path, isLive: false), [replay])
        try await second.start()
        var count = 0
        for try await frame in replay.frames {
            guard let original = originals[frame.sequence] else { continue }
            // JPEG of a good quality.
            #expect(try Self.difference(frame.buffer, original) < 4)
            count += 1
        }
        #expect(count == originals.count)
    }

    /// The mean difference of the luma.
    private static func difference(_ one: PixelBuffer, _ other: PixelBuffer) throws -> Double {
        var sum = 0
        for row in 0..<one.height {
            let lines = [one, other].map { picture in
                picture.withBytes(ofPlane: 0) { bytes in
                    (0..<picture.width).map { column in
                        let offset = row * picture.bytesPerRow(ofPlane: 0) + column
                        return Int(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
                    }
                }
            }
            sum += zip(lines[0], lines[1]).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        return Double(sum) / Double(one.width * one.height)
    }

    @Test(.hangLimit) func `Compressed frames are stored and delivered unchanged`() async throws {
        let jpeg = try Still(PixelBuffer(format: .gray8, width: 16, height: 16)).encoded()
        let frame = EncodedFrame(
            format: .mjpeg, data: jpeg, width: 16, height: 16, isKeyFrame: true, presentationTime: .zero,
            hostTime: HostTime(nanoseconds: 0))
        let driver = ReplayDriver(
            formats: [VideoFormat(pixelFormat: .mjpeg, width: 16, height: 16)],
            script: [ReplayEvent(at: .milliseconds(1), .encoded(frame)), ReplayEvent(at: .milliseconds(2), .end)])
        for includesPictures in [true, false] {
            let path = folder("jpeg-\(includesPictures).trace")
            var options = SessionTrace.Options()
            options.includesPictures = includesPictures
            let clock = ManualClock(now: .now)
            let original = try await play(driver, clock: clock, tracingTo: path, options)
            #expect(original.sequences == [0])
            let replay = try ReplayDriver(trace: path, isLive: false)
            #expect(replay.isLive == false && replay.audioFormats.isEmpty)
            #expect(replay.formats.map(\.pixelFormat) == [includesPictures ? .mjpeg : .i420])
            let output = VideoDataOutput(latePolicy: .lossless)
            let session = try await CaptureSession.of(replay, [output])
            try await session.start()
            guard includesPictures else {
                for try await frame in output.frames { #expect(frame.buffer.width == 16) }
                continue
            }
            for try await frame in output.encodedFrames() { #expect(frame.data == jpeg && frame.format == .mjpeg) }
        }
    }

    @Test(.hangLimit) func `Sound is played back in silence, with its times and gaps`() async throws {
        let microphone = HandMicrophone("traced", format: AudioFormat(sampleRate: 1000, channelCount: 2))
        let path = folder("sound.trace")
        let output = AudioDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(microphone, [output])
        let trace = try session.trace(to: path)
        let delegate = BufferCount()
        output.setDelegate(delegate)
        try await session.start()
        microphone.give(3, .float32([Float](repeating: 0.5, count: 20)))
        microphone.give(2, .float32([Float](repeating: 0.5, count: 20)), gap: 7)
        microphone.sink?.interrupted(.stalled)
        microphone.sink?.resumed()
        microphone.give(1, .float32([Float](repeating: 0.5, count: 20)))
        #expect(await becomes { delegate.count == 6 })
        await session.stop()
        try await trace.finish()
        let replay = try ReplayDriver(trace: path, isLive: false)
        #expect(replay.mediaTypes == [.audio] && replay.audioFormats == [microphone.format])
        let copy = AudioDataOutput(latePolicy: .lossless(10))
        let second = try await CaptureSession.of(replay, [copy])
        try await second.start()
        var buffers: [AudioBuffer] = []
        for try await buffer in copy.buffers { buffers.append(buffer) }
        #expect(buffers.map(\.position) == [0, 10, 20, 37, 47, 57])
        #expect(buffers.map(\.attachments.gap) == [0, 0, 0, 7, 0, 0])
        #expect(buffers.map(\.attachments.isDiscontinuity) == delegate.discontinuities)
        #expect(delegate.discontinuities.dropFirst().dropLast().allSatisfy { !$0 })
        #expect(buffers.allSatisfy { $0.frameCount == 10 && $0.samples == .float32([Float](repeating: 0, count: 20)) })
        #expect(try #require(second.ledger.inputs.first).audio.lost == 7)
    }

    private final class BufferCount: AudioDataOutputDelegate {
        private let buffers = Lock<[Bool]>([])
        var count: Int { buffers.withLock { $0.count } }
        var discontinuities: [Bool] { buffers.withLock { $0 } }

        func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
            buffers.withLockSignalling { $0.append(sound.attachments.isDiscontinuity) }
        }
    }

    @Test(.hangLimit) func `A trace begins and ends while the session runs, one at a time`() async throws {
        let camera = HandCamera("running")
        let output = VideoDataOutput(latePolicy: .bounded(100))
        let session = try await CaptureSession.of(camera, [output])
        let delegate = RecordingDelegate()
        output.setDelegate(delegate)
        try await session.start()
        try camera.give(2)
        let trace = try session.trace(to: folder("a.trace"))
        #expect(throws: ObscuraError.self) { try session.trace(to: folder("b.trace")) }
        #expect(folder.names() == ["a.trace"])
        try camera.give(3)
        try await trace.finish()
        try camera.give(4)
        let second = try session.trace(to: folder("b.trace"))
        await session.stop()
        // Across a stop.
        try await session.start()
        try camera.give(1)
        await session.stop()
        try await second.finish()
        let kinds = try folder.text(of: "a.trace").split(separator: "\n").map(Self.kind)
        #expect(kinds == ["trace", "open", "start", "frame", "frame", "frame"])
        let others = try folder.text(of: "b.trace").split(separator: "\n").map(Self.kind)
        #expect(others == ["trace", "open", "start", "close", "open", "start", "frame", "close"])
    }

    private static func kind(_ line: Substring) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["kind"] as? String)
    }

    @Test(.hangLimit) func `At its maximum size a trace ends with a whole line`() async throws {
        let camera = HandCamera("large")
        let session = try await CaptureSession.of(camera, [VideoDataOutput()])
        var options = SessionTrace.Options()
        options.maximumByteCount = 2000
        let trace = try session.trace(to: folder("small.trace"), options: options)
        try await session.start()
        try camera.give(100)
        let report = try await trace.finish()
        await session.stop()
        #expect(report.isCut && report.byteCount <= 2000 && report.byteCount > 1500)
        let bytes = try folder.bytes(of: "small.trace")
        #expect(bytes.count == report.byteCount && bytes.last == UInt8(ascii: "\n"))
        _ = try ReplayDriver(trace: report.path)
    }

    @Test func `A trace that cannot be written says so, and a full disk ends it alone`() async throws {
        let session = CaptureSession()
        #expect { try session.trace(to: "/nowhere/a.trace") } throws: { ($0 as? ObscuraError)?.code == .notWritable }
        let path = try folder.write("mine.trace", "mine")
        #expect { try session.trace(to: path) } throws: { ($0 as? ObscuraError)?.code == .fileExists }
        var options = SessionTrace.Options()
        options.overwrites = true
        let trace = try session.trace(to: "/dev/full", options: options)
        await #expect { try await trace.finish() } throws: { ($0 as? ObscuraError)?.code == .diskFull }
        // Another one may begin.
        try await session.trace(to: folder("next.trace")).finish()
    }

    // MARK: Files of others

    private static let head = #"{"kind":"trace","version":1,"at":0}"#
    private static let open = #"{"kind":"open","device":0,"info":{"uniqueID":"a","name":"A","isLive":true},"at":0}"#

    private static func start(width: Int = 64, height: Int = 64) -> String {
        #"{"kind":"start","device":0,"at":1,"video":{"pixelFormat":"gray8","width":\#(width),"height":\#(height)}}"#
    }

    private static func frame(_ sequence: UInt64, width: Int = 64, captured: Int64 = 5, more: String = "") -> String {
        #"{"kind":"frame","device":0,"at":5,"frame":{"format":"gray8","width":\#(width),"height":64,"#
            + #""sequence":\#(sequence),"captured":\#(captured)\#(more)}}"#
    }

    /// Lines that are no trace, and the code of the error.
    private static let badFiles: [(lines: [String], code: ObscuraError.Code)] = [
        ([], .unreadable), ([""], .unreadable), (["no trace"], .unreadable),
        ([#"{"kind":"frame","at":0}"#], .unreadable), ([#"{"kind":"trace","version":2,"at":0}"#], .unreadable),
        ([head], .noSuchDevice), ([head, open], .noSuchDevice),
        ([head, "{", open], .damaged), ([head, open, start(width: 1_000_000)], .damaged),
        ([head, open, start(height: -5)], .damaged),
    ]

    @Test func `A microphone that the session opened after the first frame is played as well`() throws {
        let microphone = [
            #"{"kind":"open","device":1,"info":{"uniqueID":"m","name":"M","isLive":true},"at":6}"#,
            #"{"kind":"start","device":1,"at":7,"#
                + #""audio":{"sampleType":"s16","sampleRate":16000,"channelCount":1,"isInterleaved":true}}"#,
        ]
        let lines = [Self.head, Self.open, Self.start(), Self.frame(1)] + microphone + [Self.frame(2)]
        let path = try folder.write("late.trace", lines.map { $0 + "\n" }.joined())
        let replay = try ReplayDriver(trace: path)
        #expect(replay.mediaTypes == [.video, .audio] && replay.audioFormats.map(\.sampleRate) == [16_000])
    }

    @Test func `A file that is no trace is refused`() throws {
        for (lines, code) in Self.badFiles {
            let path = try folder.write("bad.trace", lines.map { $0 + "\n" }.joined())
            #expect("\(lines)") { try ReplayDriver(trace: path) } throws: { ($0 as? ObscuraError)?.code == code }
        }
    }

    @Test func `A missing file and a missing camera are told`() throws {
        #expect { try ReplayDriver(trace: folder("none.trace")) } throws: { ($0 as? ObscuraError)?.code == .notFound }
        let path = try folder.write("one.trace", [Self.head, Self.open, Self.start()].joined(separator: "\n"))
        #expect(try ReplayDeviceProvider().device(named: "replay:\(path)")?.localizedName == "Replay of A")
        #expect { try ReplayDeviceProvider().device(named: "replay:\(path)?camera=2") } throws: {
            ($0 as? ObscuraError)?.code == .noSuchDevice
        }
        #expect(try ReplayDeviceProvider().device(named: "pattern") == nil)
    }

    @Test(.hangLimit) func `The valid part of a damaged trace is played, and the end of the file is the end`()
        async throws
    {
        let lines = [Self.head, Self.open, Self.start(), Self.frame(1), Self.frame(2)]
        let extreme: [String] = [
            Self.frame(.max, captured: .min), Self.frame(3, captured: .max),
            Self.frame(4, more: #","gap":18446744073709551615,"time":{"value":9223372036854775807,"timescale":-1}"#),
            Self.frame(5, more: #","duration":{"value":-9223372036854775808,"timescale":0},"buffersLeft":-7"#),
            #"{"kind":"lostFrame","device":0,"at":-9223372036854775808,"sequence":18446744073709551615,"gap":5}"#,
            #"{"kind":"later","device":0,"at":5,"news":[1,2]}"#, #"{"kind":"sound","device":0,"at":1}"#,
            #"{"kind":"frame","device":9,"at":5}"#,
        ]
        let files: [(name: String, more: [String], end: String?)] = [
            ("cut", [#"{"kind":"fra"#], nil), ("damaged", ["{}}", Self.frame(3)], "error: damaged"),
            ("large", [Self.frame(3, width: 99_999)], "error: damaged"), ("extreme", extreme, nil),
        ]
        for (name, more, end) in files {
            let text = (lines + more).joined(separator: "\n") + (name == "cut" ? "" : "\n")
            let path = try folder.write("\(name).trace", text)
            let replay = try await play(ReplayDriver(trace: path, isLive: false))
            #expect(replay.sequences.starts(with: [1, 2]), "\(name)")
            #expect(replay.events.first { $0.hasPrefix("error") } == end, "\(name): \(replay.events)")
        }
    }
}
