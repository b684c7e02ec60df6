// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// One run of `obscura extract`.
struct Extraction {
    let plan: ExtractPlan

    /// - Throws: what ends the tool: `ObscuraError`, or an `ExitCode` when all has been said.
    func run() async throws {
        let source = plan.source
        // What can be known before anything is opened comes first.
        try keepSource(source)
        // A film that is not there is told of before what its frames would do to other files.
        if isFilm(source), !source.contains("://"), FileIdentity(path: source) == nil {
            _ = try CaptureDevice.named(source, reading: reading(source))
        }
        let early = try sequenceWriter()
        let device = try CaptureDevice.named(source, reading: reading(source))
        try device.require(.video)
        let writer = try early ?? streamWriter(device)
        let times = try plan.timestampsPath.map {
            try TimestampWriter(path: $0, overwrites: plan.overwrites)
        }
        var settings = plan.settings
        // A film that is played at its own pace begins where it was told to.
        if device.driver.isLive, !(isFilm(source) && plan.isRealTime) { settings.delay = plan.start?.duration }
        let export = FrameExport(from: device, to: writer, settings: settings) { number, frame in
            // As the files are counted.
            times?.write(number + 1, frame.presentationTime)
        }
        let interruption = Interruption { export.stop() }
        let progress = plan.isQuiet ? nil : ProgressReporter(export, length: length(device))
        let events = plan.isQuiet ? nil : Task { [events = export.events] in await Self.tell(events) }
        let report = await export.run()
        events?.cancel()
        progress?.finish()
        let code = await interruption.exitCode()
        try conclude(report, source, isInterrupted: code != nil, times?.finish())
        if let code { throw ExitCode(code) }
    }

    // MARK: Parts

    /// Refuses to write over the film that is being read, by whatever name.
    private func keepSource(_ source: String) throws {
        let path: String
        switch plan.target {
        case .sequence(let pattern, _): path = pattern.description
        case .stream(.file(let file), _): path = file
        case .stream(.standardOutput, _): return
        }
        guard isFilm(source), let film = FileIdentity(path: source), film == FileIdentity(path: path) else { return }
        throw ValidationError("\(path) is the film itself. Give another name for the frames.")
    }

    private func isFilm(_ source: String) -> Bool {
        SourceKind(source) == .film
    }

    private func reading(_ source: String) -> MovieReadingOptions {
        var reading = MovieReadingOptions(trust: plan.trust)
        reading.pace = isFilm(source) && !plan.isRealTime ? .lossless : .realTime
        if isFilm(source) { reading.start = plan.start }
        return reading
    }

    private func sequenceWriter() throws -> (any FrameWriter)? {
        switch plan.target {
        case .sequence(let pattern, let encoding):
            try FrameSequenceWriter(pattern, encoding: encoding, overwrites: plan.overwrites)
        case .stream(let destination, isY4M: false):
            try FrameStreamWriter(destination, layout: .raw, overwrites: plan.overwrites)
        case .stream(_, isY4M: true): nil
        }
    }

    private func streamWriter(_ device: CaptureDevice) throws -> any FrameWriter {
        guard case .stream(let destination, _) = plan.target else { throw ExitCode.failure }
        return try FrameStreamWriter(
            destination, layout: .y4m(plan.frameRate(of: device.formats)), overwrites: plan.overwrites)
    }

    /// How long it will go on, as far as that is known.
    private func length(_ device: CaptureDevice) -> ProgressLength {
        var length = ProgressLength(count: plan.settings.count, duration: plan.settings.duration)
        if let info = (device.driver as? MovieDriver)?.info, let all = info.duration {
            let begin = info.startTime ?? .zero
            length.limit(duration: all - max(.zero, (plan.start ?? begin) - begin))
        }
        return length
    }

    /// Says when a device gives nothing, and when it does again.
    private static func tell(_ events: AsyncStream<SessionEvent>) async {
        for await event in events {
            switch event {
            case .interrupted(let device, .deviceDisconnected): tell(device, "the connection is lost")
            case .interrupted(let device, .stalled): tell(device, "no frames come")
            case .interrupted(let device, .deviceInUse): tell(device, "another program has it")
            case .interrupted(let device, .streamFailed): tell(device, "its stream broke; starting it again")
            case .interruptionEnded(let device): tell(device, "frames come again")
            case .started, .stopped, .paused, .resumed, .runtimeError, .refused, .stillBusy: break
            }
        }
    }

    private static func tell(_ device: CaptureDevice, _ event: String) {
        if Terminal.isErrorShown { Terminal.redraw() }
        Terminal.complain("\(device.localizedName): \(event).")
    }

    // MARK: The end

    private func conclude(
        _ report: FrameExport.Report, _ source: String, isInterrupted: Bool, _ timesFailure: ObscuraError?
    ) throws {
        var failure: ObscuraError?
        var isPipeClosed = false
        switch report.ending {
        case .failed(let error) where error.code == .closedPipe: isPipeClosed = true
        case .failed(let error): failure = error
        case .sourceEnded where report.written.frames == 0: failure = .noFrames(source, after: plan.start)
        case .sourceEnded, .limitReached, .stopped: break
        }
        failure = failure ?? timesFailure
        let isNothing = failure != nil && report.written.frames == 0
        if !plan.isQuiet, !isNothing, !isPipeClosed || isInterrupted {
            Terminal.note(ExtractionSummary(report, output: plan.output, isInterrupted: isInterrupted).text + "\n")
        }
        if plan.printsStatistics {
            let statistics = ExtractionStatistics(
                report, source: source, output: plan.output, isInterrupted: isInterrupted, failure: failure)
            let text = try JSONText.make(statistics) + "\n"
            if plan.writesToStandardOutput { Terminal.note(text) } else { Terminal.write(text) }
        }
        if let failure, !isInterrupted { throw failure }
        if let failure { Terminal.complain(failure) }
    }
}
