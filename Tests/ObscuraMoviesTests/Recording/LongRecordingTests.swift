// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

@Suite(.hangLimit) struct LongRecordingTests {
    @Test("An hour of recording and photos leaves memory and descriptors as they were after the first minutes")
    func hour() async throws {
        // Memory and descriptors are those of the whole process: in one of its own.
        if isLongForm {
            await #expect(processExitsWith: .success) {
                try await LongRecording(seconds: 3600, part: 60, photo: 5).run(checksMemory: true)
            }
        } else {
            await #expect(processExitsWith: .success) {
                try await LongRecording(seconds: 12, part: 2, photo: 0.5).run(checksMemory: false)
            }
        }
    }
}

/// A film that has no end is recorded as fast as it goes, while photos are taken of it: the first half in many parts,
/// the second in one.
private struct LongRecording {
    /// How long the recording is.
    let seconds: Double
    /// How long each part of the first half is, and how often it is looked at what the process holds.
    let part: Double
    /// How often a photo is taken.
    let photo: Double

    /// What the process holds.
    private struct Sample {
        let memory: Int
        let descriptors: [String]
    }

    /// What the recording has said.
    private struct News {
        var parts: [AssetWriter.Report] = []
        var failure: ObscuraError?
        var result: RecordingResult?

        var isOver: Bool { failure != nil || result != nil }

        mutating func note(_ event: RecordingEvent) {
            switch event {
            case .finishedPart(let report): parts.append(report)
            case .failedPart(let error): failure = error
            case .finished(let result): self.result = result
            default: break
            }
        }
    }

    /// How many KiB more than in the second part the process may hold at the end.
    private static let mostGrowth = 2048

    func run(checksMemory: Bool) async throws {
        let samples = try await record()
        try #require(samples.count > 3)
        // What the first photo and the first end of a part set up stays.
        let (before, after) = (samples[1], samples[samples.count - 1])
        let said = "KiB: \(samples.map(\.memory)); \(samples.map(\.descriptors.count)); \(after.descriptors)"
        try #require(samples.dropFirst().allSatisfy { $0.descriptors.count == before.descriptors.count }, "\(said)")
        if checksMemory { try #require(after.memory - before.memory <= Self.mostGrowth, "\(said)") }
        try #require(await becomes { PixelBuffer.liveCount == 0 })
    }

    private func record() async throws -> [Sample] {
        let (movie, photos) = (MovieFileOutput(), PhotoOutput())
        movie.maxRecordedDuration = MediaTime(seconds: seconds)
        let watch = VideoDataOutput(name: "watch", latePolicy: .lossless)
        let session = CaptureSession()
        let film = try film()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: film))
            for output in [movie, photos, watch] as [CaptureOutput] { try configuration.addOutput(output) }
        }
        let (events, news) = (movie.events, Lock(News()))
        let listener = Task {
            for await event in events { news.withLock { $0.note(event) } }
        }
        defer { listener.cancel() }
        let folder = (try Recordings.path("0.mp4") as NSString).deletingLastPathComponent
        try await movie.startRecording(to: "\(folder)/0.mp4")
        var frames = watch.frames.makeAsyncIterator()
        try await session.start()
        var samples: [Sample] = []
        var (frameCount, photoCount, splits) = (0, 0, 0)
        while let frame = try await frames.next() {
            let time = frame.presentationTime.seconds
            guard time < seconds else {
                // The movie may be over before all that is in it has come here.
                if news.withLock({ $0.isOver }) { break }
                continue
            }
            frameCount += 1
            if time >= photo * Double(photoCount + 1) {
                photoCount += 1
                try await take(photos, "\(folder)/photo.jpg")
            }
            guard time >= part * Double(samples.count + 1) else { continue }
            // While the part before is being made whole, that takes memory and a descriptor. The encoder has had all of
            // it long since, so that it can end while the film waits here.
            try #require(await becomes { news.withLock { $0.isOver || $0.parts.count == splits } })
            samples.append(Sample(memory: OwnProcess.residentKilobytes(), descriptors: OwnProcess.descriptors()))
            if time < seconds / 2 {
                splits += 1
                try movie.splitRecording(to: "\(folder)/\(splits).mp4")
            }
        }
        await session.stop()
        let told = news.withLock { $0 }
        let result = try #require(told.result, "\(String(describing: told.failure))")
        try #require(
            result.reason == .maximumDuration && told.parts.count == splits && splits > 1, "\(result)")
        let reports = told.parts + [try #require(result.report)]
        // Not a frame is lost where one part ends and the next begins.
        let counts = reports.map(\.videoFrameCount)
        try #require(counts.reduce(0, +) == frameCount && frameCount > Int(seconds) * 29, "\(counts) of \(frameCount)")
        try #require(photoCount >= Int(seconds / photo) - 1)
        for report in [reports[0], reports[reports.count - 1]] { try Recordings.expectPlays(report.path) }
        return samples
    }

    /// A few seconds with sound, again and again, as fast as they are taken.
    private func film() throws -> CaptureDevice {
        let path = try TestMovies.path(
            "endless.mp4",
            TestMovies.source("160x96", rate: "30", seconds: "10") + [
                "-f", "lavfi", "-i", "sine=d=9.9:r=48000", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ])
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        reading.isLooping = true
        return try CaptureDevice(driver: MovieDriver(path, options: reading))
    }

    private func take(_ photos: PhotoOutput, _ path: String) async throws {
        var settings = PhotoSettings()
        settings.metadata.title = "One of many"
        let photo = try await photos.capture(settings)
        try #require(photo.size == PixelSize(width: 160, height: 96))
        try await photo.write(to: path, overwrites: true)
    }
}
