// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraMedia
import ObscuraMovies
import TestSupport
import Testing

/// What the tests of `AVAssetWriter` write, and a folder for it.
struct WritingMovies {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    var path: String { folder("movie.mp4") }

    func writer(_ type: AVFileType = .mp4, _ name: String = "movie.mp4") throws -> AVAssetWriter {
        try AVAssetWriter(outputURL: folder.url.appending(path: name), fileType: type)
    }

    /// The smallest useful settings.
    static func video(_ changes: [String: Any] = [:]) -> AVAssetWriterInput {
        let settings: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 160, AVVideoHeightKey: 96,
        ]
        return AVAssetWriterInput(mediaType: .video, outputSettings: settings.merging(changes) { _, new in new })
    }

    static func audio(_ changes: [String: Any] = [:]) -> AVAssetWriterInput {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        ]
        return AVAssetWriterInput(mediaType: .audio, outputSettings: settings.merging(changes) { _, new in new })
    }

    /// A picture of one color, BGRA.
    static func pixels(
        _ color: (blue: UInt8, green: UInt8, red: UInt8) = (200, 100, 50), width: Int = 160, height: Int = 96
    ) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try #require(made)
        fill(buffer, color)
        return buffer
    }

    /// Fills the columns that are in `columns`.
    static func fill(
        _ buffer: CVPixelBuffer, _ color: (blue: UInt8, green: UInt8, red: UInt8), columns: Range<Int>? = nil
    ) {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
        for y in 0..<CVPixelBufferGetHeight(buffer) {
            let row = base.advanced(by: y * CVPixelBufferGetBytesPerRow(buffer)).assumingMemoryBound(to: UInt8.self)
            for x in columns ?? 0..<CVPixelBufferGetWidth(buffer) {
                (row[4 * x], row[4 * x + 1], row[4 * x + 2], row[4 * x + 3]) = (
                    color.blue, color.green, color.red, 255
                )
            }
        }
    }

    /// A sample buffer with a picture.
    static func frame(at time: CMTime, duration: CMTime = .invalid) throws -> CMSampleBuffer {
        let pixels = try pixels()
        let format = CMFormatDescription(
            video: CVPixelBufferGetPixelFormatType(pixels), size: PixelSize(width: 160, height: 96))
        return CMSampleBuffer(
            .image(pixels), formatDescription: format,
            timing: CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
    }

    /// A sample buffer with 10 ms of a tone, whose first sample frame is `first`, after `start`.
    static func tone(from first: Int, start: CMTime = .zero) throws -> CMSampleBuffer {
        let format = AudioFormat()
        let samples = (0..<480 * 2).map { index in
            Float(0.4 * sin(2 * Double.pi * 440 * Double(first + index / 2) / 48_000))
        }
        let time = try #require(start.mediaTime) + format.duration(ofFrames: first)
        // The time of the buffer itself is another one: that of the sample buffer counts.
        let buffer = AudioBuffer(
            format: format, samples: .float32(samples), presentationTime: .zero, hostTime: HostTime(nanoseconds: 0),
            position: UInt64(first))
        return CMSampleBuffer(
            .sound(buffer), formatDescription: CMFormatDescription(audio: format),
            timing: CMSampleTimingInfo(
                duration: CMTime(buffer.duration), presentationTimeStamp: CMTime(time), decodeTimeStamp: .invalid))
    }

    /// The number of frames that can always wait for the encoder.
    static let frameLimit = 4

    /// The time of a frame, at 30 a second.
    static func time(_ number: Int) -> CMTime {
        CMTime(MediaTime(value: Int64(number), timescale: 30))
    }

    /// All frames of a movie.
    static func frames(_ path: String) throws -> [VideoFrame] {
        let reader = try MovieReader(path, options: MovieReadingOptions())
        var frames: [VideoFrame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }
}

/// The code of the error of a writer; nil if it has none.
func code(_ writer: AVAssetWriter) -> ObscuraError.Code? { (writer.error as? ObscuraError)?.code }
