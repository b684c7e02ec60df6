// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Sound from the kernel's loopback card, through a session.
@Suite("A microphone of the kernel", .guest, .serialized)
struct MicrophoneTests {
    /// How far a buffer's time is from where its number and the first one's time put it, in milliseconds.
    private func offset(_ buffer: AudioBuffer, from first: AudioBuffer) -> Double {
        let frames = Double(buffer.position) - Double(first.position)
        let expected = frames / Double(buffer.format.sampleRate)
        return Double((buffer.hostTime - first.hostTime).wholeNanoseconds) / 1_000_000 - expected * 1000
    }

    @Test("A tone of -6 dBFS comes through whole, at its pitch, its buffers one after the other")
    func tone() async throws {
        let tone = Tone()
        let player = try await LoopbackCard.play(tone)
        defer { player.stop() }
        let run = try await MicrophoneSession()
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        var all: [AudioBuffer] = []
        while all.reduce(0, { $0 + $1.frameCount }) < 24_000, let buffer = try await buffers.next() {
            all.append(buffer)
        }
        await run.session.stop()
        let first = try #require(all.first)
        #expect(first.position == 0 && !first.attachments.isTimeEstimated)
        for (buffer, next) in zip(all, all.dropFirst()) {
            #expect(next.position == buffer.position + UInt64(buffer.frameCount))
            #expect(next.hostTime > buffer.hostTime && next.presentationTime == next.hostTime.mediaTime)
            #expect(next.attachments.gap == 0 && !next.attachments.isDiscontinuity)
            let dequeued = try #require(next.attachments.dequeueTime)
            #expect(next.hostTime < dequeued && dequeued - next.hostTime < .seconds(1))
        }
        let samples = all.flatMap { buffer in (0..<buffer.frameCount).map { buffer[frame: $0, channel: 0] } }
        // What is in the first fifth may be the silence before the tone.
        let heard = HeardTone(Array(samples.dropFirst(4800)), sampleRate: 8000, frequency: tone.frequency)
        #expect(abs(heard.peak + 6) < 0.1 && abs(heard.frequency - 440) < 0.5 && heard.breaks == 0, "\(heard)")
        let worst = all.map { abs(offset($0, from: first)) }.max() ?? 0
        Lab.report("over \(all.count) buffers the time is off by \(worst) ms at the most")
        #expect(run.session.ledger.inputs.first?.audio.overruns == 0)
        #expect(await becomes { (try? Lab.descriptors().isEmpty) == true })
    }

    @Test("The tone has its level and its pitch at another rate, in two channels and as floating point too")
    func converted() async throws {
        let player = try await LoopbackCard.play(Tone())
        defer { player.stop() }
        let format = AudioFormat(sampleType: .float32, sampleRate: 16_000, channelCount: 2)
        let run = try await MicrophoneSession(outputFormat: format)
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        var samples: [[Float]] = [[], []]
        while samples[0].count < 32_000, let buffer = try await buffers.next() {
            #expect(buffer.format == format)
            for channel in 0..<2 {
                samples[channel] += (0..<buffer.frameCount).map { buffer[frame: $0, channel: channel] }
            }
        }
        await run.session.stop()
        for channel in 0..<2 {
            let heard = HeardTone(Array(samples[channel].dropFirst(9600)), sampleRate: 16_000, frequency: 440)
            #expect(abs(heard.peak + 6) < 0.1 && abs(heard.frequency - 440) < 0.5, "\(heard)")
        }
    }

    @Test("An overrun of a stopped process is counted, and the times and numbers go on as if it had run")
    func overrun() async throws {
        let run = try await MicrophoneSession()
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        // The rate is known after some seconds.
        var first = try #require(try await buffers.next())
        while first.position < 24_000 { first = try #require(try await buffers.next()) }
        // For longer than the stall time: a microphone that nobody reads has not stalled.
        let stopper = try BackgroundTool(
            "sh", ["-c", "kill -STOP \(getpid()); timeout 4 tail -f /dev/null; kill -CONT \(getpid())"])
        defer { stopper.stop() }
        // It may be stopped before the next buffer is read here.
        var last = first
        var next = try #require(try await buffers.next())
        while next.attachments.gap == 0 {
            last = next
            next = try #require(try await buffers.next())
            try #require(!next.attachments.isDiscontinuity, "\(run.events.all)")
        }
        // Four seconds were lost, but for what the card kept.
        Lab.report("\(next.attachments.gap) frames were lost; off by \(offset(next, from: first)) ms")
        #expect(next.attachments.gap > 28_000)
        #expect(next.position == last.position + UInt64(last.frameCount) + next.attachments.gap)
        #expect(!next.attachments.isDiscontinuity)
        #expect(abs(offset(next, from: first)) < 20)
        for _ in 0..<100 {
            next = try #require(try await buffers.next())
            #expect(abs(offset(next, from: first)) < 20)
        }
        let heard = try #require(run.session.ledger.inputs.first?.audio)
        #expect(heard.overruns >= 1 && heard.lost >= 28_000)
        #expect(run.events.all.allSatisfy { !$0.hasPrefix("interrupted") }, "\(run.events.all)")
        await run.session.stop()
    }

    @Test("An unplugged card is waited for, and goes on by itself when it is back, again and again")
    func replugging() async throws {
        defer { try? LoopbackCard.plug() }
        let run = try await MicrophoneSession()
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        var last = try #require(try await buffers.next())
        let descriptors = try Lab.descriptors()
        for round in 0..<(isLongForm ? 20 : 3) {
            let unplugging = try LoopbackCard.unplug()
            #expect(
                await becomes {
                    run.events.all.filter { $0 == "interrupted: deviceDisconnected" }.count == round + 1
                })
            #expect(await becomes { !LoopbackCard.isThere && !unplugging.isRunning })
            try LoopbackCard.plug()
            let back = HostTime.now
            var next = last
            while !next.attachments.isDiscontinuity || next.position == last.position {
                last = next
                next = try #require(try await buffers.next())
            }
            Lab.report("resumed \(next.attachments.dequeueTime.map { $0 - back } ?? .zero) after the plug")
            #expect(next.position == last.position + UInt64(last.frameCount))
            #expect(next.hostTime > last.hostTime)
            last = next
            #expect(
                await becomes { (try? Lab.descriptors()) == descriptors },
                "round \(round): \((try? Lab.descriptors()) ?? []) instead of \(descriptors)")
        }
        await run.session.stop()
        #expect(await becomes { (try? Lab.descriptors().isEmpty) == true })
    }

    @Test("Cards that go and come are told, by the same id")
    func events() async throws {
        defer { try? LoopbackCard.plug() }
        let known = MicrophoneSession.provider.devices.map(\.uniqueID)
        #expect(known == ["platform-snd_aloop.0-pcm0", "platform-snd_aloop.0-pcm1"])
        let told = Lock<[String]>([])
        let listening = MicrophoneSession.provider.observe { event in
            told.withLock { $0.append(("\(event)".hasPrefix("connected") ? "+" : "-") + event.device.uniqueID) }
        }
        let unplugging = try LoopbackCard.unplug()
        #expect(await becomes { told.withLock { Set($0) } == Set(known.map { "-" + $0 }) })
        #expect(await becomes { !LoopbackCard.isThere && !unplugging.isRunning })
        try LoopbackCard.plug()
        #expect(await becomes { told.withLock { Set($0.dropFirst(2)) } == Set(known.map { "+" + $0 }) })
        withExtendedLifetime(listening) {}
    }

    @Test("The second program gets an error that names the first, or waits for it")
    func inUse() async throws {
        let holder = try BackgroundTool(
            "arecord", ["-D", LoopbackCard.name, "-f", "S16_LE", "-r", "8000", "/dev/null"])
        defer { holder.stop() }
        #expect(await becomes { holder.words.contains("Recording") })
        let refused = try await MicrophoneSession()
        let error = await #expect(throws: ObscuraError.self) { try await refused.session.start() }
        #expect(error?.code == .deviceInUse && error?.holders.map(\.pid) == [holder.identifier])
        let run = try await MicrophoneSession(startsWhenAvailable: true)
        var buffers = run.output.buffers.makeAsyncIterator()
        try await run.session.start()
        #expect(await becomes { run.events.all.contains("interrupted: deviceInUse") })
        holder.stop()
        #expect(try await buffers.next() != nil)
        #expect(await becomes { run.events.all.last == "interruption ended" })
        await run.session.stop()
    }

    @Test("What the user has made libasound's default is the first microphone, and is heard through its conversion")
    func systemDefault() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try Data("pcm.!default { type plug slave.pcm \"\(LoopbackCard.name)\" }\n".utf8)
            .write(to: home.appending(path: ".asoundrc"))
        let player = try await LoopbackCard.play(Tone())
        defer { player.stop() }
        // libasound reads it once in a process, so this is another.
        let listed = try Lab.run("env", "HOME=\(home.path)", Tool.product("obscura"), "devices")
        let first = try #require(listed.firstRange(of: "microphone:"))
        #expect(listed[first.lowerBound...].hasPrefix("microphone:default\n"), "\(listed)")
        let heard = try Lab.run(
            "env", "HOME=\(home.path)", Tool.product("obscura"), "listen", "microphone", "--duration", "3s", "--json")
        let peaks = heard.split(separator: "\"peak\":").dropFirst().compactMap { part in
            Double(part.prefix { "-.0123456789".contains($0) })
        }
        #expect(peaks.count >= 4, "\(heard)")
        // On a busy host the player may be silent for a while.
        #expect(peaks.contains { abs($0 + 6) < 0.1 }, "\(heard)")
    }

    @Test("Nobody is at the microphone, and nothing is at fault: it is listed, described and well")
    func described() throws {
        let device = try CaptureDevice.named("microphone:\(LoopbackCard.node)")
        #expect(device == (try CaptureDevice.named("microphone:\(LoopbackCard.name)")))
        #expect(CaptureDevice.DiscoverySession(mediaType: .audio).devices.last == device)
        #expect(throws: ObscuraError.self) { try CaptureDevice.named("microphone:nobody") }
        #expect(device.path == LoopbackCard.node && device.mediaTypes == [.audio] && device.formats.isEmpty)
        #expect(device.deviceType == .virtual && device.authorizationStatus == .authorized)
        #expect(device.audioFormats.contains(AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1)))
        let findings = MicrophoneSession.provider.findings
        #expect(findings.map(\.level) == [.fine, .fine], "\(findings)")
        #expect(findings.map(\.subject).last?.contains(LoopbackCard.node) == true)
        #expect(Set(Diagnosis.ofThisMachine().findings).isSuperset(of: findings))
        let listed = try Lab.run(Tool.product("obscura"), "devices")
        #expect(listed.contains("microphone:\(device.uniqueID)") && listed.contains("f32, s16, s32 with 1, 2,"))
    }
}
