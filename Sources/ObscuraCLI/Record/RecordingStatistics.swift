// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The object that `obscura record --stats json` prints. Keys are never renamed; keys with unknown values are missing.
/// Times are in seconds of the recording, delays and stages in microseconds.
struct RecordingStatistics: Codable {
    struct Part: Codable {
        let path: String
        let seconds: Double
        let frames: Int
        let bytes: Int64
    }

    /// A time in which no frames arrived, or a wait for a key frame.
    struct Wait: Codable {
        let time: Double
        let seconds: Double
    }

    struct CameraSwitch: Codable {
        let time: Double
        let camera: String
    }

    /// What one media type passed through.
    struct Media: Codable {
        let reader: ReaderStatistics?
        /// The time in each stage within the session: `capture`, `queue`, `transform` and others.
        let stages: [String: StageStatistics]
        /// The time from the capture until it was `encoded` and `written`.
        let delays: [String: StageStatistics]
    }

    let source: String
    /// The cause of the end, such as `stopped`, `maximumDuration`, `cameraGone` or `diskFull`.
    let ending: String
    /// The error, as one sentence.
    let error: String?
    let seconds: Double
    let parts: [Part]
    let videoEncoder: String?
    let audioEncoder: String?
    /// The drift of the audio clock in parts per million.
    let audioDrift: Double?
    let gaps: [Wait]
    let keyFrameWaits: [Wait]
    let cameraSwitches: [CameraSwitch]
    let devices: [DeviceStatistics]
    let video: Media
    let audio: Media
}

extension RecordingStatistics {
    init(_ result: RecordingResult, of source: String, output: String, ledger: SessionLedger) {
        self.source = source
        ending = result.reason.rawValue
        error = result.error?.description
        seconds = result.duration.seconds
        parts = result.parts.map {
            Part(path: $0.path, seconds: $0.duration.seconds, frames: $0.videoFrameCount, bytes: $0.byteCount)
        }
        videoEncoder = result.parts.last?.videoEncoder
        audioEncoder = result.parts.last?.audioEncoder
        audioDrift = result.parts.last?.audioDrift
        gaps = result.gaps.map { Wait(time: $0.start.seconds, seconds: MediaTime($0.duration).seconds) }
        keyFrameWaits = result.keyFrameWaits.map {
            Wait(time: $0.end.seconds, seconds: MediaTime($0.duration).seconds)
        }
        cameraSwitches = result.cameraSwitches.map { CameraSwitch(time: $0.time.seconds, camera: $0.camera) }
        devices = ledger.inputs.map { DeviceStatistics($0, nil) }
        let readers = ledger.readers.filter { $0.output.hasPrefix(output) }
        video = Media(readers.last { $0.mediaType == .video }, result.delivery.video)
        audio = Media(readers.last { $0.mediaType == .audio }, result.delivery.audio)
    }
}

extension RecordingStatistics.Media {
    init(_ reader: SessionLedger.Reader?, _ delays: [DeliveryStage: StageStatistics]) {
        self.reader = reader.map { ReaderStatistics($0.frames) }
        stages = (reader?.stages ?? [:]).named
        self.delays = delays.named
    }
}
