// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

extension RecordCommand {
    func run() async throws {
        try await metrics.serve(isQuiet: verbosity.quiet) { try await Recording(self).run() }
    }
}

/// One run of `obscura record`.
struct Recording {
    private let command: RecordCommand
    private let pattern: FramePathPattern
    private let movie: MovieFileOutput
    private let source: String
    private let inputs: [CaptureDeviceInput]

    /// Opens the source. Ctrl-C still ends the process immediately.
    ///
    /// - Throws: `ValidationError`, or `ObscuraError` for a source that cannot be opened.
    init(_ command: RecordCommand) throws {
        self.command = command
        pattern = try command.pattern()
        try command.source.keepSource(from: [pattern.path(1), command.tracing.file])
        let video = try command.videoSettings()
        movie = MovieFileOutput(video: video, audio: try command.audioSettings())
        movie.maxRecordedDuration = command.duration.time
        movie.maxRecordedFileSize = command.maxSize?.count
        if let free = command.minFree { movie.minFreeDiskSpace = free.count }
        command.video.picture.apply(to: movie.connection(with: .video))
        if command.sound.isNone { movie.audioSettings = nil }
        source = command.source.resolvedName
        if !command.verbosity.quiet, let note = video.sizeNote { Terminal.complain(note) }
        if !command.verbosity.quiet, let note = command.video.presetNote(for: source) { Terminal.complain(note) }
        var reading = MovieReadingOptions(trust: command.source.trust)
        // A movie is read as fast as possible, unless a microphone accompanies it.
        if SourceKind(source) == .film, !command.sound.isSeparate { reading.pace = .lossless }
        inputs = try command.sound.inputs(of: source, reading: reading, waits: command.source.wait)
    }

    /// - Throws: the error that ends the tool: `ObscuraError`, or an `ExitCode` if all errors were reported
    ///   already.
    func run() async throws {
        let session = CaptureSession()
        try await command.tracing.trace(
            overwrites: command.overwriting.overwrite, isQuiet: command.verbosity.quiet,
            with: { try session.trace(to: $0, options: $1) }, while: { try await record(with: session) })
    }

    private func record(with session: CaptureSession) async throws {
        let copies = command.encoder.copy
        try await session.configure { [preset = command.video.presetOrDefault, inputs, movie] configuration in
            configuration.preset = preset
            for input in inputs { try configuration.addInput(input) }
            if copies, let camera = inputs.first, let mode = CopiedMode.format(of: camera.device, preset: preset) {
                try configuration.setFormat(mode, for: camera)
            }
            try configuration.addOutput(movie)
            if let other = inputs.dropFirst().first { try configuration.connect(movie, to: other) }
        }
        let events = movie.events
        // Installed before the file exists, so that an interruption never leaves an empty file.
        let isInterrupted = Lock(false)
        let interruption = Interruption { [movie] in
            isInterrupted.withLock { $0 = true }
            Task {
                await movie.stopRecording()
                // Ends the wait for a source.
                await session.stop()
            }
        }
        let splitter = command.split.map { [pattern, metadata = command.metadata.metadata] split in
            PartSplitter(every: split.time, metadata: metadata) { pattern.numberedPath($0) }
        }
        splitter?.begin(with: movie)
        let notice = command.source.waitNotice(for: inputs.first?.device, isQuiet: command.verbosity.quiet)
        do {
            let path = command.split == nil ? pattern.path(1) : pattern.numberedPath(1)
            // Whether frames can be copied is known only while the session runs.
            if copies {
                movie.holdSources()
                try await session.start()
            }
            try await movie.startRecording(to: path, options: command.writerOptions)
            // An interruption before the start of the recording has stopped nothing.
            if isInterrupted.withLock({ $0 }) { await movie.stopRecording() }
            if !copies { try await session.start() }
            notice.end()
        } catch {
            notice.end()
            // No frames arrived: no file remains.
            await movie.stopRecording()
            await session.stop()
            guard let code = await interruption.exitCode() else { throw error }
            Terminal.complain("nothing was recorded.")
            throw ExitCode(code)
        }
        let progress = command.verbosity.quiet ? nil : ProgressReporter(movie, of: session)
        let (result, parts) = await Self.wait(events, isQuiet: command.verbosity.quiet)
        progress?.finish()
        await session.stop()
        let code = await interruption.exitCode()
        try conclude(result, parts, session, isInterrupted: code != nil)
        if let code { throw ExitCode(code) }
        if splitter?.hasFailed == true { throw ExitCode.failure }
    }

    /// Waits for the end of the recording; returns its result, and the events of the parts before the last
    /// one.
    private static func wait(
        _ events: AsyncStream<RecordingEvent>, isQuiet: Bool
    ) async -> (RecordingResult?, [RecordingEvent]) {
        var parts: [RecordingEvent] = []
        for await event in events {
            switch event {
            case .finished(let result): return (result, parts)
            case .finishedPart, .failedPart: parts.append(event)
            case .framesStopped where !isQuiet: Terminal.complain("no frames arrive; waiting for them.")
            case .framesResumed(let gap) where !isQuiet:
                let seconds = NumberText.oneDecimal(MediaTime(gap.duration).seconds)
                Terminal.complain("frames arrive again, after \(seconds) s.")
            case .framesStopped, .framesResumed, .started, .paused, .resumed: break
            }
        }
        return (nil, parts)
    }

    private func conclude(
        _ result: RecordingResult?, _ parts: [RecordingEvent], _ session: CaptureSession, isInterrupted: Bool
    ) throws {
        guard let result else { return }
        for case .failedPart(let error) in parts { Terminal.complain(error) }
        if !command.verbosity.quiet, result.isUsable {
            let summary = RecordingSummary(
                result, parts: parts, ledger: session.ledger, isCopy: command.encoder.copy)
            Terminal.note(summary.text + "\n")
        }
        if command.stats != nil {
            let statistics = RecordingStatistics(
                result, of: source, output: movie.name, ledger: session.ledger)
            Terminal.write(try JSONText.make(statistics) + "\n")
        }
        if let error = result.error {
            // For an interruption before the first frame, a short note is enough.
            if isInterrupted, error.code == .invalidState { return Terminal.complain("nothing was recorded.") }
            throw error
        }
        switch result.reason {
        case .stopped, .maximumDuration, .maximumFileSize, .sourceEnded, .sessionStopped: break
        case .diskFull, .cameraGone, .microphoneGone, .encoderFailed, .writingFailed:
            throw ObscuraError.recordingEnded(result.path, result.reason, minimumFree: movie.minFreeDiskSpace)
        }
        if parts.contains(where: { if case .failedPart = $0 { true } else { false } }) { throw ExitCode.failure }
    }
}
