// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

/// Images of a movie, by `AVAssetImageGenerator`.
@Suite("AVAssetImageGenerator", .hangLimit) struct ImageGeneratorTests {
    private let movies = try? ReadingMovies()

    private func exact(_ asset: AVAsset) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        return generator
    }

    @Test("Without tolerance the image is that of the frame that is shown at the time")
    func exactImages() async throws {
        let generator = exact(try await #require(movies).video())
        let third = CMTime(value: 1, timescale: 90)
        for number in [0, 1, 9, 10, 11, 29, 35, 58, 59] {
            for time in [WritingMovies.time(number), WritingMovies.time(number) + third] {
                var actual = CMTime.invalid
                let image = try generator.copyCGImage(at: time, actualTime: &actual)
                #expect(try ReadingMovies.number(image) == number)
                #expect(actual == WritingMovies.time(number))
                #expect(image.width == 160 && image.height == 96)
            }
        }
        _ = try generator.copyCGImage(at: .zero, actualTime: nil)
    }

    /// The numbers of the key frames.
    private static func keyFrames(_ asset: AVURLAsset) throws -> [Int] {
        let keys = try Probe(asset.url.path).frames.enumerated().filter(\.element.isKey).map(\.offset)
        try #require(keys.count >= ReadingMovies.frameCount / ReadingMovies.keyInterval)
        try #require(keys.count < ReadingMovies.frameCount)
        return keys
    }

    @Test("By default the image is that of the key frame before the time")
    func keyFrames() async throws {
        let asset = try await #require(movies).video()
        let generator = AVAssetImageGenerator(asset: asset)
        #expect(generator.requestedTimeToleranceBefore == .positiveInfinity)
        #expect(generator.requestedTimeToleranceAfter == .positiveInfinity)
        #expect(!generator.appliesPreferredTrackTransform && generator.maximumSize == .zero)
        let keys = try Self.keyFrames(asset)
        for number in [0, 5, 10, 19, 34, 59, 1000] {
            let (image, actual) = try await generator.image(at: WritingMovies.time(number))
            let key = try #require(keys.last { $0 <= number })
            #expect(actual == WritingMovies.time(key))
            #expect(try ReadingMovies.number(image) == key)
        }
        // Before the first frame, which is later by less than the tolerance.
        let (_, actual) = try await generator.image(at: WritingMovies.time(-30))
        #expect(actual == .zero)
    }

    @Test("With a tolerance before the time the first frame within it is used")
    func tolerance() async throws {
        let asset = try await #require(movies).video()
        let generator = exact(asset)
        generator.requestedTimeToleranceBefore = WritingMovies.time(3)
        let keys = try Self.keyFrames(asset)
        for number in 0..<ReadingMovies.frameCount {
            let expected = max(number - 3, try #require(keys.last { $0 <= number }))
            #expect(
                try await generator.image(at: WritingMovies.time(number)).actualTime == WritingMovies.time(expected))
        }
    }

    @Test("Times outside of the movie, times that are no numbers, and negative tolerances are errors")
    func invalidTimes() async throws {
        let generator = exact(try await #require(movies).video())
        for time in [WritingMovies.time(60), WritingMovies.time(-1), .invalid, .positiveInfinity, .indefinite] {
            #expect { _ = try generator.copyCGImage(at: time, actualTime: nil) } throws: { code($0) == .invalidRequest }
        }
        generator.requestedTimeToleranceBefore = WritingMovies.time(-1)
        await #expect { _ = try await generator.image(at: .zero) } throws: { code($0) == .invalidSettings }
    }

    @Test("A movie that is missing, or has no video, is an error")
    func noVideo() async throws {
        let movies = try #require(movies)
        let missing = AVAssetImageGenerator(asset: AVAsset(url: movies.url("none.mp4")))
        await #expect { _ = try await missing.image(at: .zero) } throws: { code($0) == .notFound }
        let sound = try TestMovies.path("tone.m4a", ["-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac"])
        let generator = AVAssetImageGenerator(asset: AVAsset(url: URL(fileURLWithPath: sound)))
        await #expect { _ = try await generator.image(at: .zero) } throws: { code($0) == .noVideo }
    }

    @Test("Images fit into the largest size in their shape, and are not enlarged")
    func maximumSize() async throws {
        let generator = AVAssetImageGenerator(asset: try await #require(movies).video())
        let cases: [(CGSize, Int, Int)] = [
            (CGSize(width: 80, height: 80), 80, 48), (CGSize(width: 0, height: 24), 40, 24),
            (CGSize(width: 20, height: 0), 20, 12), (CGSize(width: 1000, height: 1000), 160, 96),
        ]
        for (size, width, height) in cases {
            generator.maximumSize = size
            let image = try generator.copyCGImage(at: .zero, actualTime: nil)
            #expect(image.width == width && image.height == height)
            #expect(try ReadingMovies.number(image) == 0)
        }
    }

    @Test("Images of a rotated movie are upright if that is asked for")
    func rotation() async throws {
        let source = try await #require(movies).video().url.path
        let path = try #require(movies).movies.folder("turned.mp4")
        try Tool.run("ffmpeg", ["-v", "error", "-i", source, "-c", "copy", "-metadata:s:v:0", "rotate=90", path])
        let generator = AVAssetImageGenerator(asset: AVAsset(url: URL(fileURLWithPath: path)))
        let stored = try generator.copyCGImage(at: .zero, actualTime: nil)
        #expect(stored.width == 160 && stored.height == 96)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 48, height: 0)
        let upright = try generator.copyCGImage(at: .zero, actualTime: nil)
        #expect(upright.width == 48 && upright.height == 80)
    }

    private struct Delivery: Sendable {
        let requested: CMTime
        let number: Int?
        let actual: CMTime
        let result: AVAssetImageGenerator.Result
        let error: ObscuraError.Code?
    }

    @Test("The handler is called for each time in order, also for those that fail")
    func severalTimes() async throws {
        let generator = exact(try await #require(movies).video())
        let times = [WritingMovies.time(30), WritingMovies.time(600), WritingMovies.time(3)]
        let deliveries = Lock<[Delivery]>([])
        generator.generateCGImagesAsynchronously(forTimes: times.map { NSValue(time: $0) }) {
            requested, image, actual, result, error in
            let number = image.flatMap { try? ReadingMovies.number($0) }
            deliveries.withLock {
                $0.append(
                    Delivery(requested: requested, number: number, actual: actual, result: result, error: code(error)))
            }
        }
        #expect(await becomes { deliveries.withLock { $0.count } == 3 })
        let made = deliveries.withLock { $0 }
        #expect(made.map(\.requested) == times && made.map(\.number) == [30, nil, 3])
        #expect(made.map(\.result) == [.succeeded, .failed, .succeeded])
        #expect(made.map(\.error) == [nil, .invalidRequest, nil])
        #expect(made[0].actual == times[0] && !made[1].actual.isValid)
    }

    @Test("Cancelling delivers the rest as cancelled, and later requests are made")
    func cancelAll() async throws {
        let generator = exact(try await #require(movies).video())
        let results = Lock<[AVAssetImageGenerator.Result]>([])
        let times = (0..<20).map { NSValue(time: WritingMovies.time($0)) }
        generator.generateCGImagesAsynchronously(forTimes: times) { [weak generator] _, image, _, result, error in
            #expect(result != .cancelled || image == nil && error == nil)
            if results.withLock({
                $0.append(result); return $0.count
            }) == 1 {
                generator?.cancelAllCGImageGeneration()
            }
        }
        #expect(await becomes { results.withLock { $0.count } == 20 })
        #expect(results.withLock { $0 } == [.succeeded] + Array(repeating: .cancelled, count: 19))
        #expect(try ReadingMovies.number(await generator.image(at: WritingMovies.time(4)).image) == 4)
    }

    @Test("A sequence has an element for each time")
    func sequence() async throws {
        let generator = exact(try await #require(movies).video())
        var numbers: [Int?] = []
        for await element in generator.images(for: [WritingMovies.time(12), .invalid, WritingMovies.time(2)]) {
            switch element {
            case .success(let requested, let image, let actual):
                #expect(requested == actual && element.requestedTime == requested)
                #expect(try element.image === image)
                #expect(try element.actualTime == actual)
                numbers.append(try ReadingMovies.number(image))
            case .failure(let requested, let error):
                #expect(!requested.isValid && code(error) == .invalidRequest)
                #expect(throws: ObscuraError.self) { try element.image }
                numbers.append(nil)
            }
        }
        #expect(numbers == [12, nil, 2])
    }

    @Test("A task that is cancelled gets no image")
    func cancelledTask() async throws {
        let generator = exact(try await #require(movies).video())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await generator.image(at: .zero)
        }
        await #expect { _ = try await task.value } throws: { code($0) == .cancelled }
    }

    @Test("A request with a handler has the image, or the error")
    func oneImage() async throws {
        let generator = exact(try await #require(movies).video())
        let number: Int? = await withCheckedContinuation { continuation in
            generator.generateCGImageAsynchronously(for: WritingMovies.time(8)) { image, _, _ in
                continuation.resume(returning: image.flatMap { try? ReadingMovies.number($0) })
            }
        }
        #expect(number == 8)
    }

    @Test("A value has the time that it was made of, and other values have none")
    func values() {
        let times = [CMTime(value: -7, timescale: 30), .zero, .positiveInfinity, .indefinite]
        for time in times { #expect(NSValue(time: time).timeValue == time) }
        #expect(NSValue(time: .zero) == NSValue(time: .zero) && NSValue(time: .zero) != NSValue(time: .indefinite))
        #expect(!NSNumber(value: 3).timeValue.isValid)
        var bytes = [UInt8](repeating: 1, count: 24)
        #expect(!NSValue(bytes: &bytes, objCType: "[24C]").timeValue.isValid)
        #expect(!NSValue(bytes: &bytes, objCType: "[2q]").timeValue.isValid)
    }
}
