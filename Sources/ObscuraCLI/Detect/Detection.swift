// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension DetectCommand {
    func run() async throws {
        try await Detection(self).run()
    }
}

/// One run of `obscura detect`.
struct Detection {
    private let command: DetectCommand
    private let source: String

    init(_ command: DetectCommand) {
        self.command = command
        source = command.source.resolvedName
    }

    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run() async throws {
        try command.source.keepSource(from: [command.output])
        var detecting = FaceDetector.Settings()
        if let smallest = command.smallest { detecting.smallestFace = smallest.size }
        if let neighbours = command.neighbours { detecting.neighbours = neighbours }
        detecting.findsFeatures = command.features
        // Errors that can be found without opening anything are reported first.
        let tracker = try FaceTracker(command.engine.engine, settings: detecting)
        var reading = MovieReadingOptions(trust: command.source.trust)
        if SourceKind(source) == .film { reading.pace = .lossless }
        let device = try CaptureDevice.named(source, reading: reading)
        try device.require(.video)
        let writer = DetectingWriter(
            tracker, to: try annotated(), hidesFaces: command.mosaic,
            onFaces: { [json = command.lines.json] in Terminal.write(Self.line($0, $1, json: json)) })
        var settings = FrameExport.Settings()
        settings.count = command.limits.count
        settings.duration = command.limits.duration.time
        settings.startsWhenAvailable = command.source.wait
        let notice = command.source.waitNotice(for: device, isQuiet: command.verbosity.quiet)
        let export = FrameExport(from: device, to: writer, settings: settings) { _, _ in notice.end() }
        let interruption = Interruption { export.stop() }
        let report = await export.run()
        notice.end()
        let code = await interruption.exitCode()
        try conclude(report, found: writer.found, isInterrupted: code != nil)
        if let code { throw ExitCode(code) }
    }

    private func annotated() throws -> (any FrameWriter)? {
        guard let output = command.output else { return nil }
        if MovieContainer(path: output) != nil {
            return try MovieFrameWriter(path: output, overwrites: command.overwriting.overwrite)
        }
        let pattern = try FramePathPattern(argument: output)
        let encoding: FrameSequenceWriter.Encoding
        switch FrameFileFormat(pathExtension: pattern.pathExtension) {
        case .jpeg: encoding = .jpeg()
        case .png: encoding = .png
        default:
            throw ValidationError(
                "Unknown file extension in \(output). Use mp4, mov, mkv, jpg or png.")
        }
        guard pattern.hasNumber || command.limits.count == 1 else { throw FramePathPattern.holdsOneFrame(output) }
        return try FrameSequenceWriter(pattern, encoding: encoding, overwrites: command.overwriting.overwrite)
    }

    private func conclude(_ report: FrameExport.Report, found: Int, isInterrupted: Bool) throws {
        var failure: ObscuraError?
        switch report.ending {
        case .failed(let error) where error.code == .closedPipe: return
        case .failed(let error): failure = error
        case .sourceEnded where report.written.frames == 0: failure = .noFrames(source, after: nil)
        case .sourceEnded, .limitReached, .stopped: break
        }
        if !command.verbosity.quiet, failure == nil {
            let frames = report.written.frames
            let rate = (report.rate * 10).rounded() / 10
            Terminal.note(
                """
                \(isInterrupted ? "interrupted: " : "")faces in \(found) of \(frames) frame\(frames == 1 ? "" : "s"), \
                \(rate) a second, \(report.dropped) dropped\(command.output.map { ", to \($0)" } ?? "")\n
                """)
        }
        if let failure { throw failure }
    }

    // MARK: Lines

    private static func line(_ frame: VideoFrame, _ faces: [Face], json: Bool) -> String {
        if json {
            let found = FoundFaces(
                time: frame.presentationTime.seconds, sequence: frame.sequence,
                size: .init(width: frame.buffer.width, height: frame.buffer.height), faces: faces.map(FoundFace.init))
            return (try? JSONText.makeLine(found)).map { $0 + "\n" } ?? ""
        }
        let words = faces.map { face in
            let bounds = face.bounds
            let sure = (face.confidence * 100).rounded() / 100
            return "#\(face.id ?? 0) \(bounds.width)x\(bounds.height)+\(bounds.x)+\(bounds.y) \(sure)"
        }
        return
            "\(MovieListing.seconds(frame.presentationTime))  frame \(frame.sequence)  \(words.joined(separator: "  "))\n"
    }
}

/// A line of `--json`.
private struct FoundFaces: Encodable {
    struct Size: Encodable {
        let width, height: Int
    }

    /// The presentation time in seconds, on the timeline of the source.
    let time: Double
    let sequence: UInt64
    let size: Size
    let faces: [FoundFace]
}

private struct FoundFace: Encodable {
    struct Rect: Encodable {
        let x, y, width, height: Int

        init(_ rect: PixelRect) {
            (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        }
    }

    let id: Int?
    let bounds: Rect
    let confidence: Double
    let leftEye, rightEye, mouth: Rect?

    init(_ face: Face) {
        id = face.id
        bounds = Rect(face.bounds)
        confidence = face.confidence
        leftEye = face.leftEye.map(Rect.init)
        rightEye = face.rightEye.map(Rect.init)
        mouth = face.mouth.map(Rect.init)
    }
}
