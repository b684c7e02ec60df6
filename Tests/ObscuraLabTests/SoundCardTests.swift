// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// The kernel's sound card, without a session.
@Suite("A sound card of the kernel", .guest, .serialized)
struct SoundCardTests {
    private func open() throws -> ALSAPCM {
        try ALSAPCM(name: LoopbackCard.name, subject: LoopbackCard.node)
    }

    /// Reads for so long from the first sound on. What is silent before it is left out.
    private func record(_ pcm: ALSAPCM, _ agreement: ALSAAgreement, seconds: Double) throws -> AudioBuffer {
        let format = agreement.format
        let eventFD = try EventFD("test")
        let deadline = HostTime.now + waitLimit
        let wanted = Int(seconds * Double(format.sampleRate)) * format.channelCount
        var heard: [Float] = []
        try pcm.start()
        while heard.count < wanted {
            try #require(pcm.wait(with: eventFD, until: deadline) == .ready)
            guard case .running(_, let available, _) = try pcm.state() else {
                throw Tool.Failure(description: "an overrun")
            }
            guard let samples = try pcm.read(available) else { throw Tool.Failure(description: "an overrun") }
            let buffer = AudioBuffer(
                format: format, samples: samples, presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
            for frame in 0..<buffer.frameCount {
                if heard.isEmpty, buffer[frame: frame, channel: 0] == 0 { continue }
                for channel in 0..<format.channelCount { heard.append(buffer[frame: frame, channel: channel]) }
            }
        }
        return AudioBuffer(
            format: format, samples: .float32(heard), presentationTime: .zero, hostTime: HostTime(nanoseconds: 0))
    }

    @Test(
        "A tone of -6 dBFS reads so in every sample format, at every rate, in one channel and in two",
        arguments: [
            (AudioFormat.SampleType.int16, 8000, 1), (.int16, 48_000, 2), (.int32, 16_000, 2), (.float32, 8000, 1),
            (.float32, 44_100, 1), (.int32, 22_050, 1),
        ])
    func formats(type: AudioFormat.SampleType, rate: Int, channels: Int) async throws {
        let wanted = AudioFormat(sampleType: type, sampleRate: rate, channelCount: channels)
        let tone = Tone(sampleRate: rate, channelCount: channels, type: type)
        let player = try await LoopbackCard.play(tone)
        defer { player.stop() }
        let pcm = try open()
        let agreement = try pcm.agree(on: wanted)
        #expect(agreement.format == wanted)
        #expect(agreement.periodFrames > 0 && agreement.bufferFrames >= 2 * agreement.periodFrames)
        Lab.report("\(wanted): \(agreement.periodFrames) frames in a period, \(agreement.bufferFrames) in the buffer")
        let sound = try record(pcm, agreement, seconds: 1)
        for channel in 0..<channels {
            // The card's own beginning is not the tone's.
            let samples = (sound.frameCount / 5..<sound.frameCount).map { sound[frame: $0, channel: channel] }
            let heard = HeardTone(samples, sampleRate: rate, frequency: tone.frequency)
            #expect(abs(heard.peak + 6) < 0.1, "\(heard)")
            #expect(abs(heard.frequency - tone.frequency) < 0.5, "\(heard)")
            #expect(heard.breaks == 0, "\(heard)")
        }
    }

    @Test("What the card cannot do is done as nearly as it can")
    func nearest() throws {
        let agreement = try open().agree(
            on: AudioFormat(sampleType: .int16, sampleRate: 700_000, channelCount: 64))
        #expect(agreement.format.sampleRate == 192_000 && agreement.format.channelCount == 32)
        #expect(agreement.format.sampleType == .int16)
        let own = try open().agree(on: nil).format
        #expect(own == AudioFormat(sampleType: .float32, sampleRate: 48_000, channelCount: 2))
    }

    @Test("The card lists its formats, the one first that it takes by itself, and keeps each of them")
    func list() throws {
        let formats = try open().formats
        #expect(formats.first == AudioFormat(sampleType: .float32, sampleRate: 48_000, channelCount: 2))
        #expect(Set(formats.map(\.sampleType)) == Set(AudioFormat.SampleType.allCases))
        #expect(Set(formats.map(\.sampleRate)).isSuperset(of: [8000, 16_000, 44_100, 48_000, 96_000]))
        #expect(Set(formats.map(\.channelCount)) == Set(1...8))
        #expect(Set(formats).count == formats.count)
        for format in formats where format.channelCount < 3 {
            #expect(try open().agree(on: format).format == format)
        }
    }

    @Test("A card in use is refused, and the error names who has it")
    func inUse() async throws {
        let holder = try BackgroundTool(
            "arecord", ["-D", LoopbackCard.name, "-f", "S16_LE", "-r", "8000", "/dev/null"])
        defer { holder.stop() }
        #expect(await becomes { holder.words.contains("Recording") })
        let error = #expect(throws: ObscuraError.self) { try open() }
        #expect(error?.code == .deviceInUse)
        #expect(error?.holders.map(\.pid) == [holder.identifier])
        #expect(
            error?.description.contains("arecord (pid \(holder.identifier))") == true, "\(error?.description ?? "")")
    }

    @Test("A card that is not there is said, and libasound tells stderr nothing")
    func noCard() {
        let error = #expect(throws: ObscuraError.self) {
            try ALSAPCM(name: "hw:7,0", subject: "/dev/snd/pcmC7D0c")
        }
        #expect(error?.code == .noSuchDevice)
        let unknown = #expect(throws: ObscuraError.self) { try ALSAPCM(name: "nobody", subject: "nobody") }
        #expect(unknown?.code == .noSuchDevice)
    }
}
