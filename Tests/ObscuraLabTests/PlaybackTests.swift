// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Playback on the kernel's loopback card.
@Suite("A loudspeaker of the kernel", .guest, .serialized)
struct PlaybackTests {
    @Test("A preview is heard with its level and its pitch, converted to the format of the card")
    func preview() async throws {
        let run = try await MicrophoneSession()
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        let preview = AudioPreviewOutput(device: "hw:Loopback,0", latency: .milliseconds(500))
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: CaptureDevice.named("tone:440@-6")))
            try $0.addOutput(preview)
        }
        try await session.start()
        var heard: [Float] = []
        while heard.count < 24_000, let buffer = try await buffers.next() {
            let samples = (0..<buffer.frameCount).map { buffer[frame: $0, channel: 0] }
            heard += heard.isEmpty ? Array(samples.drop { abs($0) < 0.01 }) : samples
        }
        #expect(preview.isPlaying && preview.statistics.playedFrames > 0)
        await session.stop()
        await run.session.stop()
        let tone = HeardTone(Array(heard.dropFirst(4800)), sampleRate: 8000, frequency: 440)
        #expect(abs(tone.peak + 6) < 0.2 && abs(tone.frequency - 440) < 1, "\(tone)")
        #expect(await becomes { (try? Lab.descriptors().isEmpty) == true })
    }
}
