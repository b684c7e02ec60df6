// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase
internal import ObscuraDrivers

extension ExtractCommand {
    func run() async throws {
        try await Extraction(self).run()
    }
}

/// One run of `obscura extract`.
struct Extraction {
    private let command: ExtractCommand
    private let source: String
    private let target: FrameTarget
    private let settings: FrameExport.Settings

    /// - Throws: `ValidationError`.
    init(_ command: ExtractCommand) throws {
        self.command = command
        target = try command.target()
        settings = try command.settings()
        source = command.source.resolvedName
    }

    private var isQuiet: Bool { command.verbosity.quiet }
    private var isMovie: Bool { SourceKind(source) == .film }

    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run() async throws {
        // Errors that can be found without opening anything are reported first.
        try command.source.keepSource(from: [targetPath, command.timestamps, command.tracing.file])
        // A missing movie is reported before existing files that its frames would replace.
        if isMovie, !source.contains("://"), (try? FileStatus(path: source)) == nil {
            _ = try CaptureDevice.named(source, reading: reading)
        }
        let early = try sequenceWriter()
        let device = try CaptureDevice.named(source, reading: reading)
        try device.require(.video)
        let writer = try early ?? streamWriter(device)
        let times = try command.timestamps.map {
            try TimestampWriter(path: $0, overwrites: command.overwriting.overwrite)
        }
        var settings = settings
        // With --realtime, a movie is opened at its start position instead.
        if device.driver.isLive, !(isMovie && command.realtime) { settings.delay = command.start?.time.duration }
        if !isQuiet, let note = command.video.presetNote(for: source) { Terminal.complain(note) }
        let notice = command.source.waitNotice(for: device, isQuiet: isQuiet)
        let export = FrameExport(from: device, to: writer, settings: settings) { number, frame in
            if number == 0 { notice.end() }
            // Numbered from 1, like the files.
            times?.write(number + 1, frame.presentationTime)
        }
        let interruption = Interruption { export.stop() }
        let progress = isQuiet ? nil : ProgressReporter(export, length: length(device))
        let events = isQuiet ? nil : Task { [events = export.events] in await Self.tell(events) }
        let report = try await command.tracing.trace(
            overwrites: command.overwriting.overwrite, isQuiet: isQuiet,
            with: { try export.trace(to: $0, options: $1) }, while: { await export.run() })
        notice.end()
        events?.cancel()
        progress?.finish()
        let code = await interruption.exitCode()
        try conclude(report, isInterrupted: code != nil, times?.finish())
        if let code { throw ExitCode(code) }
    }

    // MARK: Parts

    /// The file or the pattern of the files to write; nil for standard output.
    private var targetPath: String? {
        switch target {
        case .sequence(let pattern, _): pattern.description
        case .stream(.file(let file), _): file
        case .stream(.standardOutput, _): nil
        }
    }

    private var reading: MovieReadingOptions {
        var reading = MovieReadingOptions(trust: command.source.trust)
        reading.pace = isMovie && !command.realtime ? .lossless : .realTime
        if isMovie { reading.start = command.start?.time }
        return reading
    }

    private func sequenceWriter() throws -> (any FrameWriter)? {
        switch target {
        case .sequence(let pattern, let encoding):
            try FrameSequenceWriter(pattern, encoding: encoding, overwrites: command.overwriting.overwrite)
        case .stream(let destination, isY4M: false):
            try FrameStreamWriter(destination, layout: .raw, overwrites: command.overwriting.overwrite)
        case .stream(_, isY4M: true): nil
        }
    }

    private func streamWriter(_ device: CaptureDevice) throws -> any FrameWriter {
        guard case .stream(let destination, _) = target else { throw ExitCode.failure }
        return try FrameStreamWriter(
            destination, layout: .y4m(settings.frameRate(of: device.formats)), overwrites: command.overwriting.overwrite
        )
    }

    /// Returns the length of the run, as far as it is known.
    private func length(_ device: CaptureDevice) -> ProgressLength {
        var length = ProgressLength(count: settings.count, duration: settings.duration)
        if let info = (device.driver as? MovieDriver)?.info, let all = info.duration {
            let begin = info.startTime ?? .zero
            length.limit(duration: all - max(.zero, (command.start?.time ?? begin) - begin))
        }
        return length
    }

    /// Reports when a device stops delivering frames, and when it resumes.
    private static func tell(_ events: AsyncStream<SessionEvent>) async {
        for await event in events {
            switch event {
            case .interrupted(let device, .deviceDisconnected): tell(device, "the connection is lost")
            case .interrupted(let device, .stalled): tell(device, "no frames arrive")
            case .interrupted(let device, .deviceInUse): tell(device, "another program uses the device")
            case .interrupted(let device, .streamFailed): tell(device, "the stream failed and is restarted")
            case .interrupted(let device, .systemSleep): tell(device, "closed while the machine sleeps")
            case .interrupted(let device, .sessionLocked): tell(device, "closed while the user's session is locked")
            case .interruptionEnded(let device): tell(device, "frames arrive again")
            case .started, .stopped, .paused, .resumed, .runtimeError, .refused, .stillBusy: break
            }
        }
    }

    private static func tell(_ device: CaptureDevice, _ event: String) {
        if Terminal.isErrorShown { Terminal.redraw() }
        Terminal.complain("\(device.localizedName): \(event).")
    }

    // MARK: Results

    private func conclude(
        _ report: FrameExport.Report, isInterrupted: Bool, _ timesFailure: ObscuraError?
    ) throws {
        var failure: ObscuraError?
        var isPipeClosed = false
        switch report.ending {
        case .failed(let error) where error.code == .closedPipe: isPipeClosed = true
        case .failed(let error): failure = error
        case .sourceEnded where report.written.frames == 0: failure = .noFrames(source, after: command.start?.time)
        case .sourceEnded, .limitReached, .stopped: break
        }
        failure = failure ?? timesFailure
        let isNothing = failure != nil && report.written.frames == 0
        if !isQuiet, !isNothing, !isPipeClosed || isInterrupted {
            Terminal.note(ExtractionSummary(report, output: command.output, isInterrupted: isInterrupted).text + "\n")
        }
        if command.stats != nil {
            let statistics = ExtractionStatistics(
                report, source: source, output: command.output, isInterrupted: isInterrupted, failure: failure)
            let text = try JSONText.make(statistics) + "\n"
            if target.isStandardOutput { Terminal.note(text) } else { Terminal.write(text) }
        }
        if let failure, !isInterrupted { throw failure }
        if let failure { Terminal.complain(failure) }
    }
}
