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

    /// The statistics of the reader. Invariant: `offered` = `delivered` + `dropped.total` + `skipped` +
    /// `waiting` + `inHand`.
    struct Reader: Codable {
        let offered: UInt64
        /// The frames delivered to the writer; more than `framesWritten` if a limit was reached or the
        /// run was interrupted.
        let delivered: UInt64
        /// The dropped frames by reason (`late`, `outOfBuffers` …), and their `total`.
        let dropped: [String: UInt64]
        /// The frames omitted by `--every`, `--interval`, or `--start` with a camera.
        let skipped: UInt64
        let waiting: UInt64
        let inHand: UInt64
    }

    /// The statistics of the device.
    struct Device: Codable {
        let name: String
        let received: UInt64
        /// Frames that the driver lost, computed from gaps in the sequence numbers.
        let gaps: UInt64
        /// Frames that the device flagged as broken.
        let lost: UInt64
        let width: Int?
        let height: Int?
        let pixelFormat: String?
        let framesPerSecond: Double?
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
    let device: Device?
    let reader: Reader?
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
        device = report.input.map { Device($0, report.format) }
        reader = report.reader.map { Reader($0.frames) }
        var stages = Dictionary(
            uniqueKeysWithValues: (report.reader?.stages ?? [:]).map { ($0.key.rawValue, $0.value) })
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

extension ExtractionStatistics.Reader {
    init(_ ledger: ReaderLedger) {
        var dropped = ["total": ledger.dropped.total]
        for reason in DropReason.allCases { dropped[reason.rawValue] = ledger.dropped[reason] }
        self.init(
            offered: ledger.offered, delivered: ledger.delivered, dropped: dropped, skipped: ledger.skipped,
            waiting: ledger.waiting, inHand: ledger.inHand)
    }
}

extension ExtractionStatistics.Device {
    init(_ input: SessionLedger.Input, _ format: VideoFormat?) {
        self.init(
            name: input.device, received: input.received, gaps: input.gaps, lost: input.lost,
            width: format?.width, height: format?.height, pixelFormat: format?.pixelFormat.rawValue,
            framesPerSecond: format?.frameRate?.framesPerSecond)
    }
}
