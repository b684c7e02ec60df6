// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// The end of a movie that is written with `AVAssetWriter`.
@Suite("AVAssetWriter, end", .hangLimit) struct WritingEndingTests {
    private let movies = try? WritingMovies()

    private func started() throws -> (AVAssetWriter, AVAssetWriterInput) {
        let writer = try #require(movies).writer()
        let input = WritingMovies.video()
        writer.add(input)
        try #require(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        return (writer, input)
    }

    @Test("A cancelled movie leaves no file")
    func cancelled() async throws {
        let movies = try #require(movies)
        let (writer, input) = try started()
        for number in 0..<5 { #expect(input.append(try WritingMovies.frame(at: WritingMovies.time(number)))) }
        #expect(movies.folder.names() == ["movie.recording.mp4"])
        await onThread { writer.cancelWriting() }
        #expect(movies.folder.names() == [])
        #expect(writer.status == .cancelled && writer.error == nil)
        #expect(!input.append(try WritingMovies.frame(at: WritingMovies.time(5))) && !writer.startWriting())
        await writer.finishWriting()
        #expect(writer.status == .cancelled && writer.error == nil && movies.folder.names() == [])
    }

    @Test("A writer that is cancelled before its start does not start")
    func cancelledEarly() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        writer.add(WritingMovies.video())
        await onThread { writer.cancelWriting() }
        #expect(writer.status == .cancelled && !writer.startWriting() && movies.folder.names() == [])
    }

    @Test("A complete movie cannot be cancelled")
    func cancelledLate() async throws {
        let movies = try #require(movies)
        let (writer, input) = try started()
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        await writer.finishWriting()
        await onThread { writer.cancelWriting() }
        #expect(writer.status == .completed && movies.folder.names() == ["movie.mp4"])
    }

    @Test("An existing file is an error of startWriting, and stays as it is")
    func existing() async throws {
        let movies = try #require(movies)
        let path = try movies.folder.write("movie.mp4", "precious")
        let writer = try movies.writer()
        writer.add(WritingMovies.video())
        #expect(writer.status == .unknown)
        #expect(!writer.startWriting())
        #expect(writer.status == .failed && code(writer) == .fileExists)
        #expect(writer.error?.localizedDescription.contains(path) == true)
        await writer.finishWriting()
        #expect(writer.status == .failed)
        #expect(try movies.folder.text(of: "movie.mp4") == "precious" && movies.folder.names() == ["movie.mp4"])
    }

    @Test("A folder that cannot be written is an error of startWriting")
    func noFolder() throws {
        let movies = try #require(movies)
        _ = try movies.folder.write("file", "")
        let writer = try movies.writer(.mp4, "file/movie.mp4")
        writer.add(WritingMovies.video())
        #expect(!writer.startWriting() && writer.status == .failed && code(writer) != nil)
    }

    @Test("Only addresses of files, and types that can be written, are accepted")
    func badAddress() throws {
        let web = try #require(URL(string: "https://example.org/movie.mp4"))
        #expect(throws: ObscuraError.self) { try AVAssetWriter(outputURL: web, fileType: .mp4) }
        let file = URL(fileURLWithPath: "/tmp/movie.3gp")
        #expect("3gp") { try AVAssetWriter(url: file, fileType: AVFileType("public.3gpp")) } throws: {
            ($0 as? ObscuraError)?.code == .invalidSettings && "\($0)".contains("public.3gpp")
        }
    }

    @Test("Calls after the end, or while the movie is completed, change nothing")
    func lateCalls() async throws {
        let movies = try #require(movies)
        let (writer, input) = try started()
        for number in 0..<30 { #expect(input.append(try WritingMovies.frame(at: WritingMovies.time(number)))) }
        func callAll() {
            writer.startSession(atSourceTime: .zero)
            writer.endSession(atSourceTime: .zero)
            writer.add(WritingMovies.audio())
            writer.metadata = []
            #expect(!writer.startWriting())
        }
        let isDone = Lock(false)
        writer.finishWriting { isDone.withLock { $0 = true } }
        callAll()
        #expect(await becomes { isDone.withLock { $0 } })
        callAll()
        #expect(writer.status == .completed && writer.error == nil && writer.inputs == [input])
        #expect(try Probe(movies.path).frames.count == 30)
    }

    @Test("A thread that waits for the encoder is released by cancelWriting and by the end", arguments: [true, false])
    func waitingThread(isCancelled: Bool) async throws {
        let (writer, input) = try started()
        let count = Lock(0)
        let appending = Task {
            await onThread {
                // More than the encoder takes at once: most calls wait.
                while let frame = try? WritingMovies.frame(at: WritingMovies.time(count.withLock { $0 })),
                    input.append(frame)
                { count.withLock { $0 += 1 } }
            }
        }
        #expect(await becomes { count.withLock { $0 } >= 20 })
        if isCancelled { await onThread { writer.cancelWriting() } } else { await writer.finishWriting() }
        await appending.value
        #expect(writer.status == (isCancelled ? .cancelled : .completed) && writer.error == nil)
    }

    @Test("The handler of finishWriting is called once, when the status is final, also for a second call")
    func handlers() async throws {
        let (writer, input) = try started()
        for number in 0..<30 { #expect(input.append(try WritingMovies.frame(at: WritingMovies.time(number)))) }
        let seen = Lock<[AVAssetWriter.Status]>([])
        writer.finishWriting { seen.withLock { $0.append(writer.status) } }
        writer.finishWriting { seen.withLock { $0.append(writer.status) } }
        #expect(await becomes { seen.withLock { $0.count } == 2 })
        writer.finishWriting { seen.withLock { $0.append(writer.status) } }
        #expect(await becomes { seen.withLock { $0.count } == 3 })
        #expect(seen.withLock { $0 } == [.completed, .completed, .completed])
    }

    @Test("A movie without samples, and one that was not started, fail")
    func nothing() async throws {
        let movies = try #require(movies)
        let (writer, input) = try started()
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .failed && code(writer) == .invalidState && movies.folder.names() == [])

        let other = try movies.writer()
        await other.finishWriting()
        #expect(other.status == .failed && code(other) == .invalidState)
    }

    @Test("A file that appears while the movie is written is not replaced")
    func appears() async throws {
        let movies = try #require(movies)
        let (writer, input) = try started()
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        _ = try movies.folder.write("movie.mp4", "precious")
        await writer.finishWriting()
        #expect(writer.status == .failed && code(writer) == .fileExists)
        #expect(try movies.folder.text(of: "movie.mp4") == "precious")
        #expect((writer.error as? ObscuraError)?.usableFile == movies.folder("movie.recording.mp4"))
    }

    @Test("An encoder that fails ends the movie: append returns false, and the writer has the error")
    func encoderFails() async throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264])
        writer.add(input)
        try #require(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
        // Too small for a movie, which is noticed when the first frame is encoded.
        let pixels = try WritingMovies.pixels(width: 8, height: 8)
        var number = 0
        #expect(
            await becomes {
                number += 1
                return !adaptor.append(pixels, withPresentationTime: WritingMovies.time(number))
            })
        #expect(writer.status == .failed && code(writer) == .invalidSettings)
        await writer.finishWriting()
        #expect(writer.status == .failed && movies.folder.names() == [])
    }
}
