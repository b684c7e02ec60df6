// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import AVFoundation

/// The settings of inputs.
@Suite("AVAssetWriterInput, settings") struct WritingSettingsTests {
    private let movies = try? WritingMovies()

    private static var h264: [String: Any] { [AVVideoCodecKey: AVVideoCodecType.h264] }

    private static func properties(_ properties: [String: Any]) -> [String: Any] {
        h264.merging([AVVideoCompressionPropertiesKey: properties]) { $1 }
    }

    @Test("All settings of video reach the encoder, with numbers of all types")
    func video() throws {
        let settings = try VideoSettings(
            outputSettings: [
                AVVideoCodecKey: "hvc1", AVVideoWidthKey: CGFloat(640), AVVideoHeightKey: Int32(480),
                AVVideoScalingModeKey: AVVideoScalingModeResizeAspect,
                AVVideoCompressionPropertiesKey: [
                    AVVideoAverageBitRateKey: NSNumber(value: 2_000_000), AVVideoQualityKey: Float(0.5),
                    AVVideoMaxKeyFrameIntervalDurationKey: 4, AVVideoExpectedSourceFrameRateKey: 29.97,
                ],
            ], hint: CMVideoDimensions(width: 1, height: 1))
        #expect(settings.codec == .hevc && settings.size == PixelSize(width: 640, height: 480))
        #expect(settings.fit == .aspect && settings.bitRate == 2_000_000 && settings.quality == 0.5)
        #expect(settings.keyFrameInterval == .seconds(4) && settings.frameRate == FrameRate(30_000, per: 1001))
        let plain = try VideoSettings(outputSettings: Self.h264, hint: nil)
        #expect(plain.size == nil && plain.bitRate == nil && plain.fit == .stretch && plain.frameRate == nil)
        let hinted = try VideoSettings(outputSettings: Self.h264, hint: CMVideoDimensions(width: 320, height: 240))
        #expect(hinted.size == PixelSize(width: 320, height: 240))
    }

    @Test(
        "A frame is a key frame after so many frames, or so many seconds, whichever comes first",
        arguments: [
            ([AVVideoMaxKeyFrameIntervalKey: 60], 59.0 / 30, 60.0 / 30),
            ([AVVideoMaxKeyFrameIntervalKey: 1, AVVideoExpectedSourceFrameRateKey: 60], 0, 1.0 / 60),
            ([AVVideoMaxKeyFrameIntervalKey: 600, AVVideoMaxKeyFrameIntervalDurationKey: 1.5], 1.5, 1.5),
            ([AVVideoMaxKeyFrameIntervalDurationKey: 0], 600, 600),
            ([AVVideoMaxKeyFrameIntervalKey: 1e12], 600, 600),
            ([:], 2, 2),
        ] as [([String: Double], Double, Double)])
    func keyFrames(properties: [String: Double], least: Double, most: Double) throws {
        let interval = try VideoSettings(outputSettings: Self.properties(properties), hint: nil).keyFrameInterval
        #expect(interval >= .seconds(least) && interval <= .seconds(most))
    }

    @Test(
        "Frame rates are exact fractions where they are usual ones",
        arguments: [
            (30, 30, 1), (25.0, 25, 1), (29.97, 30_000, 1001), (59.94, 60_000, 1001), (23.976, 24_000, 1001),
            (12.5, 25, 2), (0.5, 1, 2),
        ] as [(Double, Int32, Int32)])
    func frameRates(rate: Double, frames: Int32, seconds: Int32) throws {
        let settings = try VideoSettings(
            outputSettings: Self.properties([AVVideoExpectedSourceFrameRateKey: rate]), hint: nil)
        #expect(settings.frameRate?.frameDuration == FrameRate(frames, per: seconds).frameDuration)
    }

    @Test(
        "Profiles",
        arguments: [
            (AVVideoProfileLevelH264BaselineAutoLevel, .baseline), (AVVideoProfileLevelH264MainAutoLevel, .main),
            (AVVideoProfileLevelH264HighAutoLevel, .high),
        ] as [(String, VideoSettings.Profile)])
    func profiles(name: String, profile: VideoSettings.Profile) throws {
        let settings = try VideoSettings(outputSettings: Self.properties([AVVideoProfileLevelKey: name]), hint: nil)
        #expect(settings.profile == profile)
    }

    @Test("All settings of sound reach the encoder")
    func audio() throws {
        let aac = try AudioSettings(
            outputSettings: [
                AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: Float(44_100), AVNumberOfChannelsKey: 1,
                AVEncoderBitRateKey: 96_000,
            ], hint: nil)
        #expect(aac == AudioSettings(codec: .aac, sampleRate: 44_100, channelCount: 1, bitRate: 96_000))
        let perChannel = try AudioSettings(
            outputSettings: [AVFormatIDKey: kAudioFormatOpus, AVEncoderBitRatePerChannelKey: 32_000], hint: nil)
        #expect(perChannel == AudioSettings(codec: .opus, bitRate: 64_000))
        let pcm = try AudioSettings(
            outputSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
                AVLinearPCMIsBigEndianKey: NSNumber(value: false), AVLinearPCMIsNonInterleaved: 0,
            ], hint: AudioFormat(sampleRate: 32_000, channelCount: 1))
        #expect(pcm == AudioSettings(codec: .pcm, sampleRate: 32_000, channelCount: 1))
        #expect(try AudioSettings(outputSettings: [AVFormatIDKey: kAudioFormatFLAC], hint: nil).codec == .flac)
    }

    /// A kind of media, its settings, and what the error says.
    struct Invalid: @unchecked Sendable, CustomTestStringConvertible {
        let mediaType: AVMediaType
        let settings: [String: Any]?
        let words: String

        init(_ mediaType: AVMediaType, _ settings: [String: Any]?, _ words: String) {
            (self.mediaType, self.settings, self.words) = (mediaType, settings, words)
        }

        var testDescription: String { words }
    }

    static let invalid = [
        Invalid(.video, nil, "nil requests compressed samples, which are not supported"),
        Invalid(AVMediaType("text"), [:], "the media type text cannot be written"),
        Invalid(.video, [:], "AVVideoCodecKey is missing"),
        Invalid(.video, [AVVideoCodecKey: 5], "AVVideoCodecKey must be a string, not 5"),
        Invalid(.video, [AVVideoCodecKey: "ap4h"], "the codec ap4h is not supported"),
        Invalid(
            .video, h264.merging([AVVideoWidthKey: 640]) { $1 },
            "AVVideoWidthKey is set, but AVVideoHeightKey is not"),
        Invalid(
            .video, h264.merging([AVVideoHeightKey: 640]) { $1 },
            "AVVideoHeightKey is set, but AVVideoWidthKey is not"),
        Invalid(
            .video, h264.merging([AVVideoWidthKey: "wide", AVVideoHeightKey: 480]) { $1 },
            "AVVideoWidthKey must be a whole number, not wide"),
        Invalid(
            .video, h264.merging([AVVideoWidthKey: 640.5, AVVideoHeightKey: 480]) { $1 },
            "AVVideoWidthKey must be a whole number, not 640.5"),
        Invalid(
            .video, h264.merging([AVVideoWidthKey: true, AVVideoHeightKey: 480]) { $1 },
            "AVVideoWidthKey must be a whole number, not true"),
        Invalid(.video, h264.merging([AVVideoWidthKey: 4, AVVideoHeightKey: 4]) { $1 }, "16 to 16384 pixels"),
        Invalid(.video, h264.merging([AVVideoScalingModeKey: "zoom"]) { $1 }, "the scaling mode zoom"),
        Invalid(
            .video, h264.merging(["AVVideoCleanApertureKey": 1]) { $1 }, "AVVideoCleanApertureKey is not supported"),
        Invalid(
            .video, h264.merging([AVVideoCompressionPropertiesKey: 5]) { $1 },
            "AVVideoCompressionPropertiesKey must be a dictionary"),
        Invalid(.video, properties([AVVideoAverageBitRateKey: "fast"]), "AverageBitRate must be a whole number"),
        Invalid(.video, properties([AVVideoAverageBitRateKey: 10]), "the bit rate must be"),
        Invalid(.video, properties([AVVideoQualityKey: 2]), "the quality must be 0 to 1"),
        Invalid(.video, properties([AVVideoMaxKeyFrameIntervalKey: 0]), "MaxKeyFrameInterval must be at least 1"),
        Invalid(.video, properties([AVVideoMaxKeyFrameIntervalDurationKey: -1]), "must not be negative"),
        Invalid(.video, properties([AVVideoExpectedSourceFrameRateKey: Double.nan]), "ExpectedFrameRate must be"),
        Invalid(.video, properties([AVVideoProfileLevelKey: "H264_High_5_0"]), "the profile H264_High_5_0"),
        Invalid(.video, properties(["AllowFrameReordering": true]), "AllowFrameReordering is not supported"),
        Invalid(.audio, [:], "AVFormatIDKey is missing"),
        Invalid(.audio, [AVFormatIDKey: 0x616C_6163], "the format alac is not supported"),
        Invalid(.audio, [AVFormatIDKey: -1], "the format -1 is not supported"),
        Invalid(.audio, [AVFormatIDKey: "aac"], "AVFormatIDKey must be a whole number, not aac"),
        Invalid(
            .audio, [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 12_345], "AAC does not support 12345 Hz"),
        Invalid(.audio, [AVFormatIDKey: kAudioFormatMPEG4AAC, AVNumberOfChannelsKey: 9], "channels must be 1 to 8"),
        Invalid(
            .audio,
            [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVNumberOfChannelsKey: 2,
                AVEncoderBitRatePerChannelKey: Int(Int32.max) * 1_000_000,
            ], "the bit rate must be"),
        Invalid(.audio, [AVFormatIDKey: kAudioFormatLinearPCM], "mp4 files do not support pcm"),
        Invalid(
            .audio, [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 24],
            "AVLinearPCMBitDepthKey must be 16, not 24"),
        Invalid(
            .audio, [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true],
            "AVLinearPCMIsFloatKey must be false"),
        Invalid(
            .audio, [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsBigEndianKey: "no"],
            "AVLinearPCMIsBigEndianKey must be true or false"),
        Invalid(
            .audio, [AVFormatIDKey: kAudioFormatMPEG4AAC, AVLinearPCMBitDepthKey: 16],
            "AVLinearPCMBitDepthKey is not supported"),
    ]

    @Test("Settings that are not supported are an error of add, with the reason", arguments: invalid)
    func refused(case invalid: Invalid) throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = AVAssetWriterInput(mediaType: invalid.mediaType, outputSettings: invalid.settings)
        #expect(!writer.canAdd(input) && writer.status == .unknown)
        #expect(!writer.canApply(outputSettings: invalid.settings, forMediaType: invalid.mediaType))
        writer.add(input)
        #expect(writer.status == .failed && writer.inputs.isEmpty)
        let text = writer.error?.localizedDescription ?? ""
        #expect(text.contains(invalid.words), "\(text)")
        #expect(!writer.startWriting() && movies.folder.names() == [])
    }

    @Test("Types of files have their kinds of media")
    func fileTypes() throws {
        let movies = try #require(movies)
        let sound = try movies.writer(.m4a, "sound.m4a")
        #expect(sound.availableMediaTypes == [.audio] && sound.canAdd(WritingMovies.audio()))
        #expect(!sound.canAdd(WritingMovies.video()))
        #expect(try movies.writer(.m4v).availableMediaTypes == [.video, .audio])
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM]
        #expect(try movies.writer(.mov).canApply(outputSettings: settings, forMediaType: .audio))
    }

    @Test(
        "Only transforms that turn and mirror are orientations",
        arguments: [
            CGAffineTransform(rotationAngle: 0.1), CGAffineTransform(scaleX: 2, y: 2),
            CGAffineTransform(scaleX: 0, y: 1),
            CGAffineTransform(a: 1, b: 1, c: -1, d: 1, tx: 0, ty: 0), CGAffineTransform(),
            CGAffineTransform(a: 1, b: 0, c: 1, d: 1, tx: 0, ty: 0),
            CGAffineTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0),
        ])
    func badTransform(transform: CGAffineTransform) throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        writer.add(input)
        input.transform = transform
        #expect(!writer.startWriting() && code(writer) == .invalidSettings)
        #expect(writer.error?.localizedDescription.contains("transform") == true && movies.folder.names() == [])
    }

    @Test("The adaptor's pool has buffers of its attributes, and otherwise of the settings")
    func pool() throws {
        let movies = try #require(movies)
        let writer = try movies.writer()
        let input = WritingMovies.video()
        writer.add(input)
        let attributes: [String: Any] = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input, sourcePixelBufferAttributes: attributes)
        let other = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: nil)
        #expect(adaptor.pixelBufferPool == nil)
        try #require(writer.startWriting())
        #expect(other.pixelBufferPool == nil && other.assetWriterInput === input)
        let pool = try #require(adaptor.pixelBufferPool)
        #expect(adaptor.pixelBufferPool === pool)
        var made: CVPixelBuffer?
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
        let buffer = try #require(made)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
        #expect(CVPixelBufferGetWidth(buffer) == 160 && CVPixelBufferGetHeight(buffer) == 96)
    }
}
