// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraMedia
import TestSupport
import Testing

/// Calls in the wrong order, for which Apple's writer raises an exception: this one fails, with the reason.
@Suite("AVAssetWriter, order of calls", .hangLimit) struct WritingOrderTests {
    private let movies = try? WritingMovies()

    private func started(_ input: AVAssetWriterInput) throws -> AVAssetWriter {
        let writer = try #require(movies).writer()
        writer.add(input)
        try #require(writer.startWriting())
        return writer
    }

    private func expectFailure(_ writer: AVAssetWriter, _ words: String, _ location: SourceLocation = #_sourceLocation)
    {
        #expect(writer.status == .failed, sourceLocation: location)
        #expect(code(writer) == .invalidState, sourceLocation: location)
        let text = writer.error?.localizedDescription ?? ""
        #expect(text.contains(words) && text.contains("movie.mp4"), "\(text)", sourceLocation: location)
    }

    @Test("An input without a writer takes nothing")
    func noWriter() throws {
        let input = WritingMovies.video()
        #expect(!input.append(try WritingMovies.frame(at: .zero)) && !input.isReadyForMoreMediaData)
        input.markAsFinished()
    }

    @Test("append before startWriting fails")
    func appendBeforeStart() throws {
        let writer = try #require(movies).writer()
        let input = WritingMovies.video()
        writer.add(input)
        #expect(!input.append(try WritingMovies.frame(at: .zero)))
        expectFailure(writer, "before startWriting()")
        #expect(!writer.startWriting())
        expectFailure(writer, "before startWriting()")
    }

    @Test("append before startSession fails, and so does append between two sessions")
    func appendWithoutSession() async throws {
        var writer = try started(WritingMovies.video())
        var input = try #require(writer.inputs.first)
        #expect(input.isReadyForMoreMediaData)
        #expect(!input.append(try WritingMovies.frame(at: .zero)))
        expectFailure(writer, "startSession(atSourceTime:)")
        #expect(!input.isReadyForMoreMediaData)
        // Nothing was written, so nothing is left.
        await writer.finishWriting()
        expectFailure(writer, "startSession(atSourceTime:)")
        #expect(movies?.folder.names() == [])

        writer = try started(WritingMovies.video())
        input = try #require(writer.inputs.first)
        writer.startSession(atSourceTime: .zero)
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        writer.endSession(atSourceTime: WritingMovies.time(1))
        #expect(!input.append(try WritingMovies.frame(at: WritingMovies.time(2))))
        expectFailure(writer, "startSession(atSourceTime:)")
    }

    @Test("A second startWriting fails, and what was written is kept")
    func startTwice() async throws {
        let movies = try #require(movies)
        let writer = try started(WritingMovies.video())
        let input = try #require(writer.inputs.first)
        writer.startSession(atSourceTime: .zero)
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        #expect(!writer.startWriting())
        expectFailure(writer, "startWriting() was called twice")
        #expect(!input.append(try WritingMovies.frame(at: WritingMovies.time(1))))
        await writer.finishWriting()
        expectFailure(writer, "startWriting() was called twice")
        #expect((writer.error as? ObscuraError)?.usableFile == movies.path)
        #expect(try Probe(movies.path).frames.count == 1)
    }

    @Test("startWriting without an input fails, and creates nothing")
    func noInput() throws {
        let writer = try #require(movies).writer()
        #expect(!writer.startWriting())
        expectFailure(writer, "without an input")
        #expect(movies?.folder.names() == [])
    }

    @Test(
        "Sessions outside of writing, twice, or at times that are no numbers fail",
        arguments: ["before", "after", "twice", "no session", "invalid start", "infinite end"])
    func sessions(kind: String) async throws {
        let writer = try #require(movies).writer()
        writer.add(WritingMovies.video())
        if kind != "before" { try #require(writer.startWriting()) }
        switch kind {
        case "before": writer.startSession(atSourceTime: .zero)
        case "after":
            await writer.finishWriting()
            writer.startSession(atSourceTime: .zero)
        case "twice":
            writer.startSession(atSourceTime: .zero)
            writer.startSession(atSourceTime: .zero)
        case "no session": writer.endSession(atSourceTime: .zero)
        case "invalid start": writer.startSession(atSourceTime: .invalid)
        default:
            writer.startSession(atSourceTime: .zero)
            writer.endSession(atSourceTime: .positiveInfinity)
        }
        #expect(writer.status == .failed && code(writer) == .invalidState)
    }

    @Test("Inputs and metadata cannot be changed after startWriting")
    func lateChanges() throws {
        let input = WritingMovies.video()
        var writer = try started(input)
        let late = WritingMovies.audio()
        #expect(!writer.canAdd(late))
        writer.add(late)
        expectFailure(writer, "after startWriting()")
        #expect(writer.inputs == [input])

        writer = try WritingMovies().writer()
        writer.add(WritingMovies.video())
        try #require(writer.startWriting())
        writer.metadata = []
        expectFailure(writer, "after startWriting()")
    }

    @Test("An input belongs to one writer")
    func twoWriters() throws {
        let input = WritingMovies.video()
        let (one, other) = (try #require(movies).writer(), try WritingMovies().writer())
        one.add(input)
        #expect(!one.canAdd(input) && !other.canAdd(input))
        other.add(input)
        expectFailure(other, "belongs to a writer already")
        #expect(one.status == .unknown && other.inputs.isEmpty)
    }

    @Test("A sample that is not one for its input fails", arguments: ["sound", "frame", "dropped", "time", "adaptor"])
    func wrongSample(kind: String) throws {
        let isSoundInput = kind == "frame" || kind == "adaptor"
        let input = isSoundInput ? WritingMovies.audio() : WritingMovies.video()
        let writer = try started(input)
        writer.startSession(atSourceTime: .zero)
        switch kind {
        case "sound": #expect(!input.append(try WritingMovies.tone(from: 0)))
        case "frame": #expect(!input.append(try WritingMovies.frame(at: .zero)))
        case "dropped":
            let timing = CMSampleTimingInfo(
                duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
            #expect(!input.append(CMSampleBuffer(.nothing, formatDescription: nil, timing: timing)))
        case "time": #expect(!input.append(try WritingMovies.frame(at: .indefinite)))
        default:
            let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
            #expect(!adaptor.append(try WritingMovies.pixels(), withPresentationTime: .zero))
        }
        #expect(writer.status == .failed && code(writer) == .invalidState)
    }

    @Test("A finished input takes nothing, and the movie is complete")
    func appendAfterFinish() async throws {
        let movies = try #require(movies)
        let input = WritingMovies.video()
        let writer = try started(input)
        writer.startSession(atSourceTime: .zero)
        #expect(input.append(try WritingMovies.frame(at: .zero)))
        input.markAsFinished()
        #expect(!input.append(try WritingMovies.frame(at: WritingMovies.time(1))))
        #expect(writer.status == .writing)
        await writer.finishWriting()
        #expect(!input.append(try WritingMovies.frame(at: WritingMovies.time(2))))
        #expect(writer.status == .completed && writer.error == nil)
        #expect(try Probe(movies.path).frames.count == 1)
    }
}
