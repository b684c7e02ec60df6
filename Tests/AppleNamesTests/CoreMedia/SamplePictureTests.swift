// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import CoreMedia
import ObscuraMedia
import Testing

/// Sample buffers that a program makes of pictures.
@Suite("Pictures of CMSampleBuffer") struct SamplePictureTests {
    private func pixels(width: Int = 8) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, width, 4, kCVPixelFormatType_32BGRA, nil, &made)
        return try #require(made)
    }

    private func format(_ pixels: CVPixelBuffer) throws -> CMVideoFormatDescription {
        var made: CMVideoFormatDescription?
        let status = CMVideoFormatDescriptionCreateForImageBuffer(
            allocator: kCFAllocatorDefault, imageBuffer: pixels, formatDescriptionOut: &made)
        #expect(status == 0)
        return try #require(made)
    }

    @Test("The description of a picture has its format and its size") func description() throws {
        let format = try format(try pixels())
        #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_Video)
        #expect(CMFormatDescriptionGetMediaSubType(format) == kCMPixelFormat_32BGRA)
        #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 8, height: 4))
    }

    @Test("A sample buffer has the picture and the times with which it was made") func sample() throws {
        let pixels = try pixels()
        var timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 7, timescale: 30),
            decodeTimeStamp: .invalid)
        var made: CMSampleBuffer?
        let status = CMSampleBufferCreateReadyWithImageBuffer(
            allocator: nil, imageBuffer: pixels, formatDescription: try format(pixels), sampleTiming: &timing,
            sampleBufferOut: &made)
        let sample = try #require(made)
        #expect(status == 0 && CMSampleBufferGetImageBuffer(sample) === pixels && sample.numSamples == 1)
        var read = CMSampleTimingInfo()
        #expect(CMSampleBufferGetSampleTimingInfo(sample, at: 0, timingInfoOut: &read) == 0)
        #expect(read.duration == timing.duration && read.presentationTimeStamp == timing.presentationTimeStamp)
        for index in [-1, 1] {
            let status = CMSampleBufferGetSampleTimingInfo(sample, at: index, timingInfoOut: &read)
            #expect(status == kCMSampleBufferError_SampleIndexOutOfRange)
        }
    }

    @Test("The description of another picture makes no sample buffer") func wrongFormat() throws {
        var timing = CMSampleTimingInfo()
        var made: CMSampleBuffer?
        let status = CMSampleBufferCreateReadyWithImageBuffer(
            allocator: nil, imageBuffer: try pixels(), formatDescription: try format(try pixels(width: 16)),
            sampleTiming: &timing, sampleBufferOut: &made)
        #expect(status == kCMSampleBufferError_InvalidMediaFormat && made == nil)
    }

    @Test("Each frame of sound has its own time") func sound() throws {
        let format = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 2)
        let sound = AudioBuffer(
            format: format, samples: .int16([1, 2, 3, 4, 5, 6]), presentationTime: .zero,
            hostTime: HostTime(nanoseconds: 0))
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 3, timescale: 8000), presentationTimeStamp: CMTime(value: 5, timescale: 1),
            decodeTimeStamp: .invalid)
        let sample = CMSampleBuffer(
            .sound(sound), formatDescription: CMFormatDescription(audio: format), timing: timing)
        var read = CMSampleTimingInfo()
        #expect(CMSampleBufferGetSampleTimingInfo(sample, at: 2, timingInfoOut: &read) == 0)
        #expect(read.presentationTimeStamp == CMTime(value: 40_002, timescale: 8000))
        #expect(read.duration == CMTime(value: 1, timescale: 8000))
        #expect(
            CMSampleBufferGetSampleTimingInfo(sample, at: 3, timingInfoOut: &read)
                == kCMSampleBufferError_SampleIndexOutOfRange)
    }
}
