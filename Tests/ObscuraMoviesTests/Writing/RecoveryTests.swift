// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct RecoveryTests {
    /// A writer that is let go of without an end leaves what a crash leaves.
    private func partial(_ name: String = "movie.mp4", metadata: Metadata = Metadata()) async throws -> String {
        let path = try Recordings.path(name)
        var options = AssetWriter.Options()
        options.metadata = metadata
        let writer = try AssetWriter(
            path: path, video: VideoSettings(codec: .mjpeg), audio: AudioSettings(), options: options)
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 60, audio: true)
        let dot = try #require(path.lastIndex(of: "."))
        return path[..<dot] + ".recording" + path[dot...]
    }

    private func code(_ body: () throws -> Void) -> ObscuraError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ObscuraError)?.code
        }
    }

    @Test("What is recovered keeps its metadata and the places of sound and picture", arguments: ["mp4", "mov", "mkv"])
    func metadata(suffix: String) async throws {
        var metadata = Metadata()
        metadata.title = "Ein Löwe"
        metadata.location = try GeographicLocation(latitude: -12.345678, longitude: 179.999999)
        metadata.language = "deu"
        metadata.custom = ["my.key": "my value"]
        let partial = try await partial("movie.\(suffix)", metadata: metadata)
        // It becomes free when the writer's thread has let go of it.
        try #require(
            await becomes {
                code { try MovieRecovery.recover(partial, to: "/dev/null/a.\(suffix)") } != .stillRecording
            })
        let movie = try MovieRecovery.recover(partial).movie
        #expect(movie.metadata.title == "Ein Löwe" && movie.metadata.location == metadata.location)
        #expect(movie.metadata.language == "deu")
        #expect(movie.metadata.custom.contains { $0.key.lowercased() == "my.key" && $0.value == "my value" })
        try Recordings.expectPlays(movie.location)
        if suffix != "mkv" {
            #expect(try Probe(movie.location).frames.first?.time == .zero)
            #expect(try CrashTests.isFastStart(movie.location))
            // The first sound is the tone, and not the encoder's own samples.
            let sound = try Tool.run(
                "ffmpeg", ["-v", "error", "-i", movie.location, "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
            let samples = sound.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            let exact = (0..<20_000).map { Float(0.4 * sin(2 * Double.pi * 440 * Double($0) / 48_000)) }
            let error = (4_000..<20_000).reduce(Float(0)) { max($0, abs(samples[$1] - exact[$1])) }
            #expect(error < 0.02, "\(error)")
        }
    }

    @Test("What is being recorded, is no partial file, or would replace another is left as it is")
    func refusals() async throws {
        let path = try Recordings.path("movie.mp4")
        let partial = path.replacingOccurrences(of: "movie.", with: "movie.recording.")
        let writer = try AssetWriter(path: path)
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 60, audio: false)
        #expect(code { try MovieRecovery.recover(partial) } == .stillRecording)
        try await writer.finish()
        #expect(code { try MovieRecovery.recover(partial) } == .notRecoverable)
        #expect(code { try MovieRecovery.recover(path) } == .notRecoverable)
        for text in ["", "no movie at all", String(repeating: "\0", count: 5_000)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: partial))
            #expect(code { try MovieRecovery.recover(partial, overwrites: true) } == .notRecoverable)
            // One without anything in it is of no use to anybody.
            #expect(FileManager.default.fileExists(atPath: partial) == !text.isEmpty)
        }
        try FileManager.default.removeItem(atPath: partial)
        try FileManager.default.copyItem(atPath: path, toPath: partial)
        #expect(code { try MovieRecovery.recover(partial) } == .fileExists)
        #expect(FileManager.default.fileExists(atPath: partial))
        try MovieRecovery.recover(partial, overwrites: true)
        #expect(try Recordings.neighbours(path) == ["movie.mp4"])
        #expect(try Probe(path).frames.count == 60)
    }

    @Test("A partial file that is cut off anywhere is recovered up to there, or is an error")
    func cuts() async throws {
        let partial = try await partial()
        let whole = try Data(contentsOf: URL(fileURLWithPath: partial))
        var counts: [Int] = []
        for tenth in 0...10 {
            let path = try Recordings.path("cut.recording.mp4")
            try whole.prefix(whole.count * tenth / 10).write(to: URL(fileURLWithPath: path))
            do {
                let movie = try MovieRecovery.recover(path).movie
                try Recordings.expectPlays(movie.location)
                counts.append(try Probe(movie.location).frames.count)
            } catch let error as ObscuraError {
                #expect(error.code == .notRecoverable && counts.isEmpty)
            }
        }
        #expect(counts == counts.sorted() && counts.count >= 8 && (counts.last ?? 0) >= 45, "\(counts)")
    }

    @Test("Of a folder all partial files are recovered, and each is told of")
    func folders() async throws {
        let path = try Recordings.path("a.mp4")
        let folder = (path as NSString).deletingLastPathComponent
        #expect(try MovieRecovery.recover(folder: folder).isEmpty)
        let partial = try await partial()
        try FileManager.default.copyItem(atPath: partial, toPath: folder + "/b.recording.mp4")
        try Data("broken".utf8).write(to: URL(fileURLWithPath: folder + "/c.recording.mov"))
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder + "/d.recording.txt"))
        let outcomes = try MovieRecovery.recover(folder: folder)
        #expect(outcomes.map(\.source) == [folder + "/b.recording.mp4", folder + "/c.recording.mov"])
        #expect((try? outcomes[0].result.get().movie.location) == folder + "/b.mp4")
        #expect((try? outcomes[1].result.get()) == nil)
        #expect(try Recordings.neighbours(path) == ["b.mp4", "c.recording.mov", "d.recording.txt"])
        #expect(code { _ = try MovieRecovery.recover(folder: folder + "/none") } == .notRecoverable)
    }
}
