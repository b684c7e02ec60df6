// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The object that `--stats json` prints. Keys are never renamed; keys with unknown values are missing.
struct ExtractionStatistics: Codable {
    /// A presentation time: as an exact fraction, and in seconds.
    struct Time: Codable {
        let value: Int64
        let timescale: Int32
        let seconds: Double
    }

    let source: String
    let output: String
    /// `sourceEnded`, `limitReached`, `interrupted`, `closedPipe` or `failed`.
    let ending: String
    /// The error, as one sentence.
    let error: String?
    let framesWritten: Int
    let bytesWritten: Int64
    /// The time from the start of the device to the last byte, in seconds.
    let seconds: Double
    let framesPerSecond: Double
    /// The size of the frames, in pixels.
    let size: PixelSize?
    let pixelFormat: String?
    let firstPresentationTime: Time?
    let lastPresentationTime: Time?
    let device: DeviceStatistics?
    let reader: ReaderStatistics?
    /// `capture`, `queue`, `transform`, `handling` (as the library names them), `encode` and `write`.
    let stages: [String: StageStatistics]
}

extension ExtractionStatistics {
    init(
        _ report: FrameExport.Report, source: String, output: String, isInterrupted: Bool,
        failure: ObscuraError?
    ) {
        self.source = source
        self.output = output
        ending =
            switch report.ending {
            case _ where isInterrupted: "interrupted"
            case .failed(let error) where error.code == .closedPipe: "closedPipe"
            case _ where failure != nil: "failed"
            case .sourceEnded: "sourceEnded"
            case .limitReached: "limitReached"
            case .stopped: "interrupted"
            case .failed: "failed"
            }
        error = failure?.description
        framesWritten = report.written.frames
        bytesWritten = report.written.bytes
        seconds = Double(report.elapsed.wholeNanoseconds) / 1e9
        framesPerSecond = report.rate
        size = report.written.size
        pixelFormat = report.written.pixelFormat?.rawValue
        firstPresentationTime = report.first.map(Time.init)
        lastPresentationTime = report.last.map(Time.init)
        device = report.input.map { DeviceStatistics($0, report.format) }
        reader = report.reader.map { ReaderStatistics($0.frames) }
        var stages = (report.reader?.stages ?? [:]).named
        stages["encode"] = report.written.encoding
        stages["write"] = report.written.writing
        self.stages = stages
    }
}

extension ExtractionStatistics.Time {
    init(_ time: MediaTime) {
        self.init(value: time.value, timescale: time.timescale, seconds: time.seconds)
    }
}
