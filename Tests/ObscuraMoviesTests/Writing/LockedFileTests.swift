// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Partial files that others have, or have left.
@Suite(.hangLimit) struct LockedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func size(_ name: String) throws -> Int { try folder.bytes(of: name).count }

    /// Whether it could be made.
    private func isMade(_ name: String, _ leftover: LockedFile.Leftover) -> Bool {
        let can = LockedFile.canMake(folder(name), reusing: leftover)
        do {
            close(try LockedFile.make(folder(name), reusing: leftover))
            #expect(can)
            return true
        } catch {
            #expect(error.code == .fileExists && !can)
            return false
        }
    }

    @Test func `A new file is locked as long as it is open`() throws {
        let descriptor = try LockedFile.make(folder("a"), reusing: .empty)
        #expect(!isMade("a", .empty) && !isMade("a", .any))
        close(descriptor)
        #expect(isMade("a", .empty))
    }

    @Test func `What a killed process has left is taken over if it is empty, or if anything may be`() throws {
        _ = try folder.write("empty", "")
        _ = try folder.write("short", "x")
        _ = try folder.write("text", "somebody's text")
        #expect(isMade("empty", .empty) && !isMade("short", .empty) && !isMade("text", .empty))
        #expect(try size("short") == 1 && size("text") == 15)
        #expect(isMade("text", .any))
        #expect(try size("text") == 0)
    }

    @Test func `A leftover with a second name loses this name alone`() throws {
        _ = try folder.write("keep", "somebody's movie")
        link(folder("keep"), folder("draft"))
        #expect(isMade("draft", .any))
        #expect(try folder.text(of: "keep") == "somebody's movie")
    }

    @Test func `A link, a folder and a pipe are nobody's leftover`() throws {
        let target = try folder.write("target", "")
        symlink(target, folder("link"))
        symlink(folder("nowhere"), folder("broken"))
        mkdir(folder("folder"), 0o700)
        mkfifo(folder("pipe"), 0o600)
        for name in ["link", "broken", "folder", "pipe"] { #expect(!isMade(name, .any), "\(name)") }
        #expect(folder.names() == ["broken", "folder", "link", "pipe", "target"])
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
            #expect(LockedFile.canMake(partial, reusing: .empty), "\(count) of \(index)")
        }
        // Its first picture may be read.
        let first = try #require(whole.firstRange(of: Data("mdat".utf8))).upperBound
        try whole.prefix(first + 100).write(to: URL(fileURLWithPath: partial))
        #expect(!LockedFile.canMake(partial, reusing: .empty))
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
        #expect(failure?.code == .writingFailed && failure?.reason.hasPrefix("somebody has deleted") == true)
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
