// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

/// What a destination does and its network may do, by a network that the test drives by hand.
@Suite(.hangLimit) struct DestinationSenderTests {
    private static let streams = EncodedStreams([])

    private func sender(
        _ network: HandNetwork, _ record: SenderRecord = SenderRecord(), to address: String = "rtmp://host/app/key",
        waits: Bool = false, settings: BroadcastSettings = BroadcastSettings()
    ) throws -> DestinationSender {
        var destination = try BroadcastDestination(address)
        destination.startsWhenAvailable = waits
        return DestinationSender(
            destination, settings: settings, hasVideo: true, handlers: record.handlers,
            metrics: DeliveryMetrics(output: "broadcast"), open: { network.open(control: $1) })
    }

    @Test func `A new connection asks for a key frame, and gets what follows it`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        #expect(record.keyFrameRequests == 1)
        for number in 5..<15 { sender.send(try SendQueueTests.picture(number)) }
        #expect(await network.sent.reaches(5))
        #expect(network.sentUnits == [10, 11, 12, 13, 14])
        sender.finish(until: .now + waitLimit)
        #expect(await record.reaches("ended"))
        #expect(network.finishes == 1)
        let statistics = sender.statistics
        #expect(statistics.state == .ended && statistics.sentFrames == 5 && statistics.droppedFrames == 5)
        #expect(statistics.connectionCount == 1 && statistics.reconnectCount == 0 && statistics.lastError == nil)
        #expect(statistics.delivery.video[.sent]?.count == 5 && statistics.delivery.video[.encoded]?.count == 5)
        #expect(statistics.delivery.video[.written] == nil && statistics.delivery.audio.isEmpty)
    }

    @Test func `One that takes nothing loses whole groups, and nobody waits for it`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        network.block()
        // All of them are accepted while the network still takes nothing.
        for number in 0..<1000 { sender.send(try SendQueueTests.picture(number)) }
        #expect(network.sentUnits.isEmpty)
        #expect(sender.statistics.queue <= .seconds(3))
        network.unblock()
        #expect(await network.sent.reaches { $0.last == 999 })
        // Each one follows the one before, or begins a group.
        let units = network.sentUnits
        #expect(zip(units, units.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 % 10 == 0 })
        sender.finish(until: .now + waitLimit)
        #expect(await record.reaches("ended"))
        let statistics = sender.statistics
        #expect(statistics.sentFrames + statistics.droppedFrames == 1000)
    }

    @Test func `Unsent data has waited since it was passed on, and waits no more if the source pauses`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        network.unsentBytes = 1000
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        let begin = HostTime.now
        var number = 0
        // The network is looked at now and then.
        repeat {
            sender.send(try SendQueueTests.picture(number))
            number += 1
            #expect(await network.sent.reaches(number))
            #expect(sender.statistics.queue <= .now - begin)
        } while sender.statistics.queue == .zero && number < 1_000_000
        #expect(await becomes { sender.statistics.queue == .zero && sender.backlog == .zero })
        sender.finish(until: .now + waitLimit)
        #expect(await record.reaches("ended"))
    }

    @Test func `A connection that breaks off is made anew, and begins with a key frame`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        for number in 0..<5 { sender.send(try SendQueueTests.picture(number)) }
        #expect(await network.sent.reaches(5))
        network.break(.connectionLost)
        sender.send(try SendQueueTests.picture(5))
        #expect(await record.reaches("waiting: connectionLost"))
        network.repair()
        #expect(await record.reaches("connected", times: 2))
        #expect(record.keyFrameRequests == 2)
        for number in 6..<12 { sender.send(try SendQueueTests.picture(number)) }
        #expect(await network.sent.reaches(7))
        #expect(network.sentUnits == [0, 1, 2, 3, 4, 10, 11])
        #expect(sender.statistics.reconnectCount == 1 && sender.statistics.lastError?.code == .connectionLost)
        sender.finish(until: .now + waitLimit)
        #expect(await record.reaches("ended"))
    }

    @Test func `The first attempt decides, unless the server may come later`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        network.break(.connectionFailed)
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("ended"))
        #expect(record.words == ["failed: connectionFailed", "ended"] && sender.hasFailed)
        let (other, patient) = (HandNetwork(), SenderRecord())
        other.break(.connectionFailed)
        let waiting = try self.sender(other, patient, waits: true)
        waiting.begin(Self.streams)
        #expect(await patient.reaches("waiting: connectionFailed", times: 2))
        other.repair()
        #expect(await patient.reaches("connected"))
        waiting.finish(until: .now + waitLimit)
        #expect(await patient.reaches("ended"))
    }

    @Test(arguments: [ObscuraError.Code.notAuthorized, .notFound, .certificateNotTrusted, .refused])
    func `What no other attempt can mend is given up at first, but not once it was there`(
        code: ObscuraError.Code
    ) async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        network.break(code)
        try sender(network, record, waits: true).begin(Self.streams)
        #expect(await record.reaches("ended"))
        #expect(record.words == ["failed: \(code)", "ended"])
        let (other, later) = (HandNetwork(), SenderRecord())
        let sender = try sender(other, later)
        sender.begin(Self.streams)
        #expect(await later.reaches("connected"))
        other.break(code)
        sender.send(try SendQueueTests.picture(0))
        #expect(await later.reaches("waiting: \(code)"))
        other.repair()
        #expect(await later.reaches("connected", times: 2))
        sender.finish(until: .now + waitLimit)
        #expect(await later.reaches("ended") && !sender.hasFailed)
    }

    @Test(arguments: ["movie.mp4", "live.m3u8"])
    func `A file that cannot be ended has failed, also when all was over`(address: String) async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record, to: address)
        sender.begin(Self.streams)
        sender.send(try SendQueueTests.picture(0))
        #expect(await network.sent.reaches(1))
        network.breakAtTheEnd(.notWritable)
        sender.finish(until: .now + waitLimit)
        #expect(await record.reaches("ended"))
        #expect(record.words == ["connected", "failed: notWritable", "ended"])
        #expect(sender.statistics.lastError?.code == .notWritable)
    }

    @Test func `The end does not wait for a server that does not answer`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        network.isDeaf = true
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await network.openings.reaches(1))
        // Long before the deadline, and with no answer from the server.
        sender.finish(until: .now + .seconds(3600))
        #expect(await record.reaches("ended"))
        #expect(network.isDeaf)
        #expect(sender.statistics.state == .failed && sender.statistics.lastError?.code == .timedOut)
    }

    @Test func `The end sends what waits, but not for ever`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record)
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        network.block()
        for number in 0..<10 { sender.send(try SendQueueTests.picture(number)) }
        sender.finish(until: .now + waitLimit)
        network.unblock()
        #expect(await record.reaches("ended"))
        #expect(network.sentUnits == Array(0..<10))
        let (stuck, other) = (HandNetwork(), SenderRecord())
        let late = try self.sender(stuck, other)
        late.begin(Self.streams)
        #expect(await other.reaches("connected"))
        stuck.block()
        late.send(try SendQueueTests.picture(0))
        late.finish(until: .now)
        // Cancels what the network does not take.
        _ = late.join(until: .now)
        #expect(await other.reaches("ended"))
        #expect(stuck.sentUnits.isEmpty)
        #expect(late.statistics.state == .ended)
    }

    @Test func `A movie keeps what a slow disk has not taken yet`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record, to: "movie.mp4")
        network.block()
        sender.begin(Self.streams)
        for number in 0..<500 { sender.send(try SendQueueTests.picture(number)) }
        sender.finish(until: .now)
        network.unblock()
        #expect(sender.join(until: .now + waitLimit))
        #expect(network.sentUnits == Array(0..<500))
    }

    @Test func `A movie that ends before its thread has begun is whole`() throws {
        for _ in 0..<50 {
            let network = HandNetwork()
            let sender = try sender(network, to: "movie.mp4")
            sender.begin(Self.streams)
            for number in 0..<5 { sender.send(try SendQueueTests.picture(number)) }
            sender.finish(until: .now)
            #expect(sender.join(until: .now + waitLimit))
            #expect(network.sentUnits == Array(0..<5) && network.finishes == 1)
        }
    }

    @Test func `A movie that has lost a picture is no movie`() async throws {
        let (network, record) = (HandNetwork(), SenderRecord())
        let sender = try sender(network, record, to: "movie.mp4")
        sender.begin(Self.streams)
        #expect(await record.reaches("connected"))
        network.block()
        // A minute and more.
        for number in 0..<700 { sender.send(try SendQueueTests.picture(number)) }
        network.unblock()
        #expect(await record.reaches("failed: notWritable"))
    }
}
