// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// The thread of a player, on a device that does what a test tells it to.
@Suite(.hangLimit) struct AudioPlayerTests {
    private static let format = AudioFormat(sampleType: .int16, sampleRate: 1000, channelCount: 1)

    /// A player with the devices that it opens one after the other; each attempt beyond them fails.
    private struct Stage: Sendable {
        let player: AudioPlayer
        let opened = Lock(0)
        /// The codes of failures, and nil for each start.
        let events = Lock<[ObscuraError.Code?]>([])
        let formats = Lock<[AudioFormat?]>([])

        init(_ devices: [HandPCM], limits: AudioPlayer.Limits = AudioPlayer.Limits()) {
            let (opened, events, formats) = (opened, events, formats)
            player = AudioPlayer(
                name: "stage", device: "hand", latency: .milliseconds(40), limits: limits,
                open: { name throws(ObscuraError) in
                    let number = opened.withLock { number in
                        defer { number += 1 }
                        return number
                    }
                    guard number < devices.count else {
                        throw ObscuraError(.capture, .noSuchDevice, subject: name, reason: "there is no other")
                    }
                    return devices[number]
                },
                onEvent: { event in
                    if case .failed(let error) = event {
                        events.withLock { $0.append(error.code) }
                    } else {
                        events.withLock { $0.append(nil) }
                    }
                },
                onFormat: { format in formats.withLock { $0.append(format) } })
        }

        /// Plays buffers of 10 ms, whose samples are their numbers.
        func play(_ numbers: Range<Int>, _ format: AudioFormat = AudioPlayerTests.format) {
            for number in numbers {
                let samples = [Int16](repeating: Int16(number), count: format.sampleRate / 100)
                player.play(
                    AudioBuffer(format: format, samples: .int16(samples), presentationTime: .zero, hostTime: .now))
            }
        }

        func hears(_ device: HandPCM, _ numbers: [Int]) async -> Bool {
            await becomes { device.written.count == numbers.count * 10 }
                && device.written == numbers.flatMap { [Int16](repeating: Int16($0), count: 10) }
        }
    }

    @Test func `audio is written as the device has room for it`() async {
        let device = HandPCM(room: 25)
        let stage = Stage([device])
        stage.play(0..<4)
        #expect(await becomes { device.written.count == 25 })
        device.hand.withLock { $0.room = 100 }
        #expect(await stage.hears(device, [0, 1, 2, 3]))
        #expect(await becomes { stage.player.statistics.playedFrames == 40 })
        #expect(stage.events.withLock { $0 } == [nil])
        stage.player.stop()
        #expect(await becomes { device.calls == ["drop"] })
    }

    @Test func `late audio is dropped and counted, and the newest is played`() async {
        let device = HandPCM(room: 40)
        let stage = Stage([device])
        stage.play(0..<4)
        #expect(await stage.hears(device, [0, 1, 2, 3]))
        stage.play(4..<13)
        // Nine waited, eight are dropped.
        #expect(stage.player.statistics.droppedFrames == 80)
        device.hand.withLock { $0.room = 100 }
        #expect(await stage.hears(device, [0, 1, 2, 3, 12]))
        stage.player.stop()
    }

    @Test func `a device that runs dry is prepared, and plays again when enough audio waits`() async {
        let device = HandPCM(room: 1000)
        let stage = Stage([device])
        stage.play(0..<4)
        #expect(await stage.hears(device, [0, 1, 2, 3]))
        device.hand.withLock { $0.isDry = true }
        stage.play(4..<5)
        #expect(await becomes { device.calls == ["prepare"] && stage.player.statistics.underruns == 1 })
        let played = device.written.count
        stage.play(5..<9)
        // The player may begin before the last part arrives.
        #expect(await becomes { device.written.suffix(10) == [Int16](repeating: 8, count: 10)[...] })
        #expect(device.written.count == played + 50)
        stage.player.stop()
    }

    @Test func `a suspended device is woken until it plays`() async {
        let device = HandPCM(room: 1000)
        device.hand.withLock { $0.isSuspended = true }
        let stage = Stage([device])
        stage.play(0..<4)
        #expect(await stage.hears(device, [0, 1, 2, 3]))
        #expect(device.calls == ["wake", "wake"])
        stage.player.stop()
    }

    @Test func `a device that stays suspended is an error`() async {
        let device = HandPCM(room: 1000)
        device.hand.withLock { $0.isSuspended = true }
        let stage = Stage([device], limits: AudioPlayer.Limits(stall: .zero))
        stage.play(0..<4)
        #expect(await becomes { stage.events.withLock { $0 } == [nil, .deviceFailed] })
        #expect(device.calls.first == "wake" && device.written.isEmpty)
        stage.player.stop()
    }

    @Test func `a device that takes nothing is an error, and another attempt is made`() async {
        let (stalled, good) = (HandPCM(room: 40), HandPCM(room: 1000))
        let stage = Stage([stalled, good], limits: AudioPlayer.Limits(stall: .milliseconds(20), retry: .zero))
        stage.play(0..<5)
        #expect(await becomes { stage.events.withLock { $0 } == [nil, .deviceFailed] })
        #expect(await becomes { stalled.calls == ["drop"] })
        let isPlayed = await becomes {
            stage.play(5..<9)
            return good.written.count >= 40
        }
        #expect(isPlayed)
        #expect(stage.events.withLock { $0 } == [nil, .deviceFailed, nil])
        stage.player.stop()
    }

    @Test func `a device that goes is reported once, however often it is tried again`() async {
        let device = HandPCM(room: 1000)
        let stage = Stage([device], limits: AudioPlayer.Limits(retry: .zero))
        stage.play(0..<4)
        #expect(await stage.hears(device, [0, 1, 2, 3]))
        device.hand.withLock { state in
            state.failure = ObscuraError(.capture, .deviceDisconnected, subject: "hand", reason: "it was unplugged")
        }
        for attempt in 2..<6 {
            let isTried = await becomes {
                stage.play(4..<8)
                return stage.opened.withLock { $0 } >= attempt
            }
            #expect(isTried)
        }
        stage.player.stop()
        #expect(stage.events.withLock { $0 } == [nil, .deviceDisconnected, .noSuchDevice])
    }

    @Test func `a device of another rate lets the source convert`() async {
        let fast = AudioFormat(sampleType: .int16, sampleRate: 2000, channelCount: 1)
        let device = HandPCM(format: fast, room: 1000)
        let stage = Stage([device])
        stage.play(0..<4)
        #expect(await becomes { stage.formats.withLock { $0 } == [fast] })
        stage.play(4..<5)
        stage.play(5..<9, fast)
        #expect(await becomes { device.written.count == 80 })
        #expect(device.written.first == 5 && stage.player.statistics.droppedFrames == 50)
        stage.player.stop()
        #expect(stage.formats.withLock { $0 } == [fast, nil])
    }

    @Test func `audio of another format opens the device again`() async {
        let (first, second) = (HandPCM(room: 1000), HandPCM(room: 1000))
        let stage = Stage([first, second])
        stage.play(0..<4)
        #expect(await stage.hears(first, [0, 1, 2, 3]))
        stage.play(0..<4, AudioFormat(sampleType: .int16, sampleRate: 2000, channelCount: 1))
        #expect(await becomes { second.written.count == 80 })
        #expect(first.calls == ["drop"])
        stage.player.stop()
    }

    @Test func `a stop ends the wait for room, and for audio`() async {
        for room in [0, 1000] {
            let device = HandPCM(room: room)
            let stage = Stage([device])
            stage.play(0..<4)
            #expect(await becomes { stage.events.withLock { $0 } == [nil] })
            stage.player.stop()
            #expect(!stage.player.isRunning)
            #expect(await becomes { device.calls == ["drop"] })
        }
    }

    @Test func `without audio the device is closed, and opened again for the next`() async {
        let (first, second) = (HandPCM(room: 1000), HandPCM(room: 1000))
        let stage = Stage([first, second], limits: AudioPlayer.Limits(idle: .milliseconds(1)))
        stage.play(0..<4)
        #expect(await becomes { !stage.player.isRunning })
        #expect(first.calls == ["drop"] || first.calls.isEmpty)
        let isOpened = await becomes {
            stage.play(4..<8)
            return second.written.count >= 40
        }
        #expect(isOpened)
        stage.player.stop()
    }
}
