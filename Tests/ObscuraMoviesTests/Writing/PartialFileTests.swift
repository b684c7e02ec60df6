// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Partial files of running recordings and of killed processes.
@Suite(.hangLimit) struct PartialFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `A recording begins over an empty partial file, and not over one that has something`() async throws {
        let path = folder("movie.mp4")
        for leftover in ["", "somebody's text"] {
            _ = try folder.write("movie.recording.mp4", leftover)
            guard leftover.isEmpty else {
                let error = #expect(throws: ObscuraError.self) { try AssetWriter(path: path) }
                #expect(error?.code == .fileExists)
                continue
            }
            let writer = try AssetWriter(path: path)
            try writer.startSession(at: .zero)
            try await Recordings.feed(writer, frames: 10, audio: false)
            try await writer.finish()
            try Recordings.expectPlays(path)
            #expect(folder.names() == ["movie.mp4"])
            unlink(path)
        }
    }

    @Test func `A head without a picture is taken over as well`() async throws {
        let path = folder("movie.mp4")
        do {
            let writer = try AssetWriter(path: path, video: VideoSettings(codec: .mjpeg))
            try writer.startSession(at: .zero)
            try await Recordings.feed(writer, frames: 60, audio: false)
        }
        let partial = RecordingPath(path).partial
        // It becomes free when the writer's thread has let go of it.
        try #require(await becomes { isFree(partial) })
        let whole = try Data(contentsOf: URL(fileURLWithPath: partial))
        let index = try #require(whole.firstRange(of: Data("moof".utf8))).lowerBound - 4
        for count in [index, index - 1, 40, index + 8] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: partial))
            #expect(RecordingPath(path).canCreatePartial, "\(count) of \(index)")
        }
        // Its first picture may be read.
        let first = try #require(whole.firstRange(of: Data("mdat".utf8))).upperBound
        try whole.prefix(first + 100).write(to: URL(fileURLWithPath: partial))
        #expect(!RecordingPath(path).canCreatePartial)
    }

    private func isFree(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    @Test func `A name that will be too long is refused at the start`() throws {
        for (count, isRight) in [(244, true), (245, false), (255, false)] {
            let name = String(repeating: "n", count: count - 4) + ".mp4"
            do throws(ObscuraError) {
                _ = try AssetWriter(path: folder(name))
                #expect(isRight)
            } catch {
                #expect(!isRight && error.errno == ENAMETOOLONG && error.advice?.contains("244") == true)
            }
        }
    }

    @Test func `A file that somebody deletes ends the recording at once`() async throws {
        let path = folder("movie.mp4")
        let writer = try AssetWriter(path: path, video: VideoSettings(codec: .mjpeg))
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 30, audio: false)
        try #require(unlink(RecordingPath(path).partial) == 0)
        let failure = await #expect(throws: ObscuraError.self) {
            for number in 30... { try await Recordings.feed(writer, frames: 1, audio: false, from: number) }
        }
        #expect(failure?.code == .writingFailed && failure?.reason.contains("was deleted or renamed") == true)
        // Another recording of this name is another's.
        _ = try folder.write("movie.recording.mp4", "somebody's text")
        let end = await #expect(throws: ObscuraError.self) { try await writer.finish() }
        #expect(end?.usableFile == nil)
        #expect(folder.names() == ["movie.recording.mp4"])
    }

    @Test func `Where recordings leave free what rewriting would take, the movie stays in fragments`() async throws {
        let path = folder("movie.mp4")
        var options = AssetWriter.Options()
        // More than any disk has.
        options.minFreeDiskSpace = .max
        let writer = try AssetWriter(path: path, options: options)
        try writer.startSession(at: .zero)
        try await Recordings.feed(writer, frames: 30, audio: false)
        let report = try await writer.finish()
        #expect(report.isFragmented && report.videoFrameCount == 30)
        #expect(folder.names() == ["movie.mp4"])
        try Recordings.expectPlays(path)
    }
}
