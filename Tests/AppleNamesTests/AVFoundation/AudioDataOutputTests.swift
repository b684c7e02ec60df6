// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// The settings of `AVCaptureAudioDataOutput`.
@Suite("AVCaptureAudioDataOutput", .hangLimit) struct AudioDataOutputTests {
    let session = AVCaptureSession()
    let output = AVCaptureAudioDataOutput()
    let microphone: AVCaptureDeviceInput

    init() throws {
        TestCameras.prepare
        microphone = try AVCaptureDeviceInput(device: try #require(AVCaptureDevice.default(for: .audio)))
    }

    @Test("Sound is converted to the settings") func settings() async throws {
        output.audioSettings = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
            AVLinearPCMIsNonInterleaved: false, AVNumberOfChannelsKey: 1, AVSampleRateKey: 16_000,
        ]
        let record = SampleRecord()
        output.setSampleBufferDelegate(record, queue: record.queue)
        session.addInput(microphone)
        session.addOutput(output)
        await onThread { [session] in session.startRunning() }
        #expect(await becomes { record.delivered.count >= 3 })
        await onThread { [session] in session.stopRunning() }
        let description = try #require(record.delivered.first?.buffer.formatDescription)
        let format = try #require(CMAudioFormatDescriptionGetStreamBasicDescription(description)).pointee
        #expect(format.mSampleRate == 16_000 && format.mChannelsPerFrame == 1 && format.mBitsPerChannel == 32)
        #expect(format.mFormatFlags & kAudioFormatFlagIsFloat != 0)
    }

    @Test("Settings without a rate and channels have those of the microphone; nil has no settings") func defaults() {
        #expect(output.audioSettings == nil)
        session.addInput(microphone)
        session.addOutput(output)
        output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM]
        let (format, settings) = (microphone.device.device.audioFormats.first, output.audioSettings)
        #expect(format != nil && settings?[AVSampleRateKey] as? Int == format?.sampleRate)
        #expect(settings?[AVNumberOfChannelsKey] as? Int == format?.channelCount)
        #expect(settings?[AVLinearPCMBitDepthKey] as? Int == 16 && settings?[AVLinearPCMIsFloatKey] as? Bool == false)
        output.audioSettings = nil
        #expect(output.audioSettings == nil)
    }

    @Test("Settings that are not supported change nothing") func wrongSettings() {
        output.audioSettings = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8000]
        for settings in [
            [:], [AVFormatIDKey: kAudioFormatMPEG4AAC], [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: -1],
            [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1000],
            [AVFormatIDKey: kAudioFormatLinearPCM, "odd": 1],
        ] as [[String: Any]] {
            output.audioSettings = settings
            #expect(output.audioSettings?[AVSampleRateKey] as? Int == 8000)
        }
    }

    @Test("The recommended settings of a movie are AAC with the channels of the sound") func recommendedSettings() {
        session.addOutput(output)
        #expect(output.recommendedAudioSettingsForAssetWriter(writingTo: .mp4) == nil, "there is no microphone")
        session.addInput(microphone)
        let settings = output.recommendedAudioSettingsForAssetWriter(writingTo: .mp4)
        #expect(settings?[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC)
        #expect(settings?[AVNumberOfChannelsKey] as? Int == microphone.device.device.audioFormats.first?.channelCount)
        let rate = microphone.device.device.audioFormats.first?.sampleRate
        #expect(settings?[AVSampleRateKey] as? Int == rate.map { min($0, 48_000) })
        #expect(output.recommendedAudioSettingsForAssetWriter(writingTo: .jpg) == nil)
        #expect(AVAssetWriterInput(mediaType: .audio, outputSettings: settings).mediaType == .audio)
        output.audioSettings = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 96_000, AVNumberOfChannelsKey: 1,
        ]
        let others = output.recommendedAudioSettingsForAssetWriter(writingTo: .mov)
        #expect(others?[AVSampleRateKey] as? Int == 48_000 && others?[AVNumberOfChannelsKey] as? Int == 1)
    }
}
