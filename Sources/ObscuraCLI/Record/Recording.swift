// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

extension RecordCommand {
    func run() async throws {
        try await Recording(self).run()
    }
}

/// One run of `obscura record`.
struct Recording {
    private let command: RecordCommand
    private let pattern: FramePathPattern
    private let movie: MovieFileOutput
    private let inputs: [CaptureDeviceInput]

    /// Finds the source. Ctrl-C still ends the process at once.
    ///
    /// - Throws: `ValidationError`, or `ObscuraError` for a source that cannot be opened.
    init(_ command: RecordCommand) throws {
        self.command = command
        pattern = try command.pattern()
        let video = try command.videoSettings()
        movie = MovieFileOutput(video: video, audio: try command.audioSettings())
        movie.maxRecordedDuration = command.duration.time
        movie.maxRecordedFileSize = command.maxSize?.count
        if let free = command.minFree { movie.minFreeDiskSpace = free.count }
        command.video.picture.apply(to: movie.connection(with: .video))
        if command.sound.isNone { movie.audioSettings = nil }
        let source = command.source.resolvedName
        if !command.verbosity.quiet, let note = video.sizeNote { Terminal.complain(note) }
        var reading = MovieReadingOptions(trust: command.source.trust)
        // A movie is read as fast as possible, unless a microphone accompanies it.
        if SourceKind(source) == .film, !command.sound.isSeparate { reading.pace = .lossless }
        inputs = try command.sound.inputs(of: source, reading: reading)
    }

    /// - Throws: what ends the tool: `ObscuraError`, or an `ExitCode` when all has been said.
    func run() async throws {
        let session = CaptureSession()
        try await session.configure { [preset = command.video.preset, inputs, movie] configuration in
            configuration.preset = preset
            for input in inputs { try configuration.addInput(input) }
            try configuration.addOutput(movie)
            if let other = inputs.dropFirst().first { try configuration.connect(movie, to: other) }
        }
        let events = movie.events
        // Before there is a file: whoever ends the tool from here on leaves none that is empty.
        let isInterrupted = Lock(false)
        let interruption = Interruption { [movie] in
            isInterrupted.withLock { $0 = true }
            Task { await movie.stopRecording() }
        }
        do {
            let path = command.split == nil ? pattern.path(1) : pattern.numberedPath(1)
            try await movie.startRecording(to: path, options: command.writerOptions)
            // The end that was asked for before found nothing to stop.
            if isInterrupted.withLock({ $0 }) { await movie.stopRecording() }
            try await session.start()
        } catch {
            // Nothing came: no file is left.
            await movie.stopRecording()
            _ = await interruption.exitCode()
            throw error
        }
        let progress = command.verbosity.quiet ? nil : ProgressReporter(movie, of: session)
        let splitter = command.split.map { [pattern] split in
            PartSplitter(movie, every: split.time) { pattern.numberedPath($0) }
        }
        let (result, parts) = await Self.wait(events)
        splitter?.cancel()
        progress?.finish()
        await session.stop()
        let code = await interruption.exitCode()
        try conclude(result, parts, session, isInterrupted: code != nil)
        if let code { throw ExitCode(code) }
    }

    /// Until the recording has ended; how it did, and the parts before its last.
    private static func wait(_ events: AsyncStream<RecordingEvent>) async -> (RecordingResult?, [RecordingEvent]) {
        var parts: [RecordingEvent] = []
        for await event in events {
            switch event {
            case .finished(let result): return (result, parts)
            case .finishedPart, .failedPart: parts.append(event)
            case .started, .paused, .resumed: break
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
            Terminal.note(RecordingSummary(result, parts: parts, ledger: session.ledger).text + "\n")
        }
        if let error = result.error {
            // Who stops before the first frame knows that there is nothing.
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
