// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

/// The movies that the tests of reading make, and a folder for them.
struct ReadingMovies {
    static let frameCount = 60
    /// The most frames from one key frame to the next.
    static let keyInterval = 10
    static let sampleRate = 48_000

    let movies: WritingMovies

    init() throws {
        movies = try WritingMovies()
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: movies.folder(name)) }

    /// The gray of a frame.
    static func gray(_ number: Int) -> UInt8 { UInt8(10 + 4 * number) }

    /// Two seconds of H.264 at 30 frames per second, each frame of another gray, with a key frame at least at each 10th.
    func video(_ metadata: [AVMetadataItem] = []) async throws -> AVURLAsset {
        try await write("video.mp4", .mp4, sound: nil, metadata)
    }

    /// The frames of ``video(_:)``, and two seconds of sound: AAC.
    func videoAndSound() async throws -> AVURLAsset {
        try await write("both.mp4", .mp4, sound: WritingMovies.audio())
    }

    /// The frames of ``video(_:)``, and two seconds of uncompressed sound.
    func videoAndSamples() async throws -> AVURLAsset {
        try await write("samples.mov", .mov, sound: WritingMovies.audio([AVFormatIDKey: kAudioFormatLinearPCM]))
    }

    private func write(
        _ name: String, _ type: AVFileType, sound: AVAssetWriterInput?, _ metadata: [AVMetadataItem] = []
    ) async throws -> AVURLAsset {
        let writer = try movies.writer(type, name)
        let video = WritingMovies.video([
            AVVideoCompressionPropertiesKey: [AVVideoMaxKeyFrameIntervalKey: Self.keyInterval]
        ])
        writer.metadata = metadata
        writer.add(video)
        sound.map(writer.add)
        sound?.languageCode = "deu"
        try #require(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
        for number in 0..<Self.frameCount {
            let gray = Self.gray(number)
            let pixels = try WritingMovies.pixels((gray, gray, gray))
            #expect(adaptor.append(pixels, withPresentationTime: WritingMovies.time(number)))
            if let sound { try Self.append(number, to: sound) }
        }
        writer.endSession(atSourceTime: WritingMovies.time(Self.frameCount))
        await writer.finishWriting()
        try #require(writer.status == .completed, "\(String(describing: writer.error))")
        return AVURLAsset(url: url(name))
    }

    /// Appends the sound of a frame: a thirtieth of a second.
    private static func append(_ number: Int, to sound: AVAssetWriterInput) throws {
        let parts = 100
        let range = (number * parts / 30)..<((number + 1) * parts / 30)
        for part in range { #expect(sound.append(try WritingMovies.tone(from: part * 480))) }
    }

    /// The number of the frame whose gray a picture has, in the middle.
    static func number(_ picture: PixelBuffer) throws -> Int {
        let pixels = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
        let middle = pixels.height / 2 * pixels.bytesPerRow(ofPlane: 0) + pixels.width / 2 * 4
        let green: UInt8 = pixels.withBytes(ofPlane: 0) { bytes in
            bytes.withUnsafeBytes { $0[middle + 1] }
        }
        return Int(((Double(green) - 10) / 4).rounded())
    }

    static func number(_ image: CGImage) throws -> Int { try number(image.picture) }
}

/// The settings for a pixel format.
func settings(_ type: OSType) -> [String: Any] { [kCVPixelBufferPixelFormatTypeKey as String: type] }

/// All samples of an output from now on.
func samples(_ output: AVAssetReaderOutput) -> [CMSampleBuffer] {
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    return samples
}

/// A reader with one output of a track, which has started.
func startedReader(
    _ asset: AVAsset, _ mediaType: AVMediaType, _ settings: [String: Any], _ timeRange: CMTimeRange? = nil
) throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: mediaType).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
    if let timeRange { reader.timeRange = timeRange }
    try #require(reader.canAdd(output))
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    return (reader, output)
}

/// The code of an error of the engine; nil for others.
func code(_ error: (any Error)?) -> ObscuraError.Code? { (error as? ObscuraError)?.code }
