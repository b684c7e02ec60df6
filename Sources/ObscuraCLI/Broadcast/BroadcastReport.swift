// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The state of a broadcast, in JSON.
struct BroadcastReport: Encodable {
    struct Destination: Encodable {
        let destination: String
        let kind: String
        let state: String
        let bitRate: Int
        let frameRate: Double
        let sentFrames: Int
        let droppedFrames: Int
        let byteCount: Int64
        let reconnects: Int
        /// In seconds.
        let queue: Double
        /// In seconds; nil if unknown.
        let delay: Double?
        let roundTrip: Double?
        /// The delays of the frames from the capture until they were `encoded`, and `sent` or `written`; in microseconds.
        let videoDelays: [String: StageStatistics]
        /// The same for the audio.
        let audioDelays: [String: StageStatistics]
        /// The number of viewers, if this process is the server.
        let viewers: Int?
        let error: String?
    }

    /// The frames of the camera, before encoding.
    struct Camera: Encodable {
        let receivedFrames: UInt64
        /// Frames that the driver lost or marked as broken.
        let lostFrames: UInt64
        /// Frames that were delivered, but dropped because the broadcast was busy.
        let droppedFrames: UInt64
    }

    /// The audio of the microphone, before encoding.
    struct Microphone: Encodable {
        let receivedBuffers: UInt64
        /// Buffers that were delivered, but dropped because the broadcast was busy.
        let droppedBuffers: UInt64
    }

    let event = "statistics"
    /// The capture time of the first frame, in nanoseconds of CLOCK_MONOTONIC.
    let startTime: Int64?
    /// The duration sent, in seconds.
    let duration: Double
    let encodedFrames: Int
    let lateFrames: Int
    let lateAudioBuffers: Int
    let targetBitRate: Int?
    let encoder: String?
    /// In seconds.
    let encodeDelay: Double?
    let width: Int?
    let height: Int?
    /// Nil without video.
    let camera: Camera?
    /// Nil without audio.
    let microphone: Microphone?
    let destinations: [Destination]

    init(_ statistics: BroadcastStatistics, _ ledger: SessionLedger, of output: String) {
        let books = ledger.readers.filter { $0.output == output && $0.mediaType == .video }
        let audio = ledger.readers.filter { $0.output.hasPrefix(output) && $0.mediaType == .audio }
        microphone =
            audio.isEmpty
            ? nil
            : Microphone(
                receivedBuffers: audio.reduce(0) { $0 + $1.frames.offered },
                droppedBuffers: audio.reduce(0) { $0 + $1.frames.dropped.unwanted })
        // With copy, the frames are received compressed.
        camera = ledger.inputs.first { max($0.received, $0.encodedFrames) > 0 }.map { input in
            Camera(
                receivedFrames: max(input.received, input.encodedFrames), lostFrames: input.gaps + input.lost,
                droppedFrames: books.reduce(0) { $0 + $1.frames.dropped.unwanted })
        }
        startTime = statistics.startTime?.nanoseconds
        duration = statistics.duration.seconds
        encodedFrames = statistics.encodedFrames
        lateFrames = statistics.lateFrames
        lateAudioBuffers = statistics.lateAudioBuffers
        targetBitRate = statistics.targetBitRate
        encoder = statistics.videoEncoder
        encodeDelay = statistics.encodeDelay.map(Self.seconds)
        width = statistics.size?.width
        height = statistics.size?.height
        destinations = statistics.destinations.map { one in
            Destination(
                destination: one.name, kind: one.kind.rawValue, state: one.state.rawValue,
                bitRate: Int(one.bitRate), frameRate: (one.frameRate * 100).rounded() / 100,
                sentFrames: one.sentFrames, droppedFrames: one.droppedFrames, byteCount: one.byteCount,
                reconnects: one.reconnectCount, queue: Self.seconds(one.queue), delay: one.delay.map(Self.seconds),
                roundTrip: one.roundTrip.map(Self.seconds), videoDelays: one.delivery.video.named,
                audioDelays: one.delivery.audio.named, viewers: one.viewerCount,
                error: one.lastError?.description)
        }
    }

    static func seconds(_ time: Duration) -> Double { (time / .microseconds(1)).rounded() / 1e6 }
}

/// An event of a broadcast, in JSON.
struct BroadcastEventReport: Encodable {
    let event: String
    private(set) var destination: String?
    private(set) var error: String?
    private(set) var code: String?
    /// The time until the next attempt, in seconds.
    private(set) var retryAfter: Double?
    private(set) var bitRate: Int?

    init(_ event: BroadcastEvent) {
        switch event {
        case .connected(let destination):
            self.event = "connected"
            self.destination = destination.name
        case .waiting(let destination, let error, let time):
            self.event = "waiting"
            self.destination = destination.name
            (self.error, code) = (error.description, error.code.description)
            retryAfter = BroadcastReport.seconds(time)
        case .failed(let destination, let error):
            self.event = "failed"
            self.destination = destination.name
            (self.error, code) = (error.description, error.code.description)
        case .bitRate(let bits):
            self.event = "bitRate"
            bitRate = bits
        case .finished(let error):
            self.event = "finished"
            (self.error, code) = (error?.description, error?.code.description)
        }
    }
}
