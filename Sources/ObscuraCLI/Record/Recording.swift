// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase

/// One run of `obscura record`.
struct Recording {
    let plan: RecordPlan

    /// - Throws: what ends the tool: `ObscuraError`, or an `ExitCode` when all has been said.
    func run() async throws {
        if !plan.isQuiet, let note = plan.note { Terminal.complain(note) }
        var reading = MovieReadingOptions(trust: plan.trust)
        // A film is read as fast as it goes, unless somebody speaks to it.
        let isSpokenTo = plan.microphone.map { $0 != "none" } ?? false
        if SourceKind(plan.source) == .film, !isSpokenTo { reading.pace = .lossless }
        let device = try CaptureDevice.named(plan.source, reading: reading)
        let microphone = try findMicrophone(for: device)
        let movie = MovieFileOutput(video: plan.video, audio: plan.audio)
        movie.maxRecordedDuration = plan.duration
        movie.maxRecordedFileSize = plan.maximumSize
        if let free = plan.minimumFree { movie.minFreeDiskSpace = free }
        movie.connection(with: .video)?.orientation = plan.orientation
        movie.connection(with: .video)?.isMirrored = plan.isMirrored
        movie.connection(with: .video)?.effects = plan.effects
        if plan.microphone == "none" { movie.audioSettings = nil }
        let session = CaptureSession()
        let inputs = try [device, microphone].compactMap(\.self).map { try CaptureDeviceInput(device: $0) }
        try await session.configure { [preset = plan.preset] configuration in
            configuration.preset = preset
            for input in inputs { try configuration.addInput(input) }
            try configuration.addOutput(movie)
            if let other = inputs.dropFirst().first { try configuration.connect(movie, to: other) }
        }
        let events = movie.events
        // Before there is a file: whoever ends the tool from here on leaves none that is empty.
        let isInterrupted = Lock(false)
        let interruption = Interruption {
            isInterrupted.withLock { $0 = true }
            Task { await movie.stopRecording() }
        }
        do {
            try await movie.startRecording(to: plan.path(1), options: plan.options)
            // The end that was asked for before found nothing to stop.
            if isInterrupted.withLock({ $0 }) { await movie.stopRecording() }
            try await session.start()
        } catch {
            // Nothing came: no file is left.
            await movie.stopRecording()
            _ = await interruption.exitCode()
            throw error
        }
        let progress = plan.isQuiet ? nil : ProgressReporter(movie, of: session)
        let splitter = plan.partDuration.map { PartSplitter(movie, every: $0, path: plan.path) }
        let (result, parts) = await Self.wait(events)
        splitter?.cancel()
        progress?.finish()
        await session.stop()
        let code = await interruption.exitCode()
        try conclude(result, parts, session, minimumFree: movie.minFreeDiskSpace, isInterrupted: code != nil)
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

    private func findMicrophone(for device: CaptureDevice) throws -> CaptureDevice? {
        if let name = plan.microphone {
            return name == "none" ? nil : try CaptureDevice.named(name, reading: MovieReadingOptions(trust: plan.trust))
        }
        if device.mediaTypes.contains(.audio) { return nil }
        if SourceKind(plan.source) == .film { return nil }
        if SourceKind(plan.source) == .pattern { return try CaptureDevice.named("tone") }
        return CaptureDevice.default(for: .audio)
    }

    private func conclude(
        _ result: RecordingResult?, _ parts: [RecordingEvent], _ session: CaptureSession, minimumFree: Int64,
        isInterrupted: Bool
    ) throws {
        guard let result else { return }
        for case .failedPart(let error) in parts { Terminal.complain(error) }
        if !plan.isQuiet, result.isUsable {
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
            throw ObscuraError.recordingEnded(result.path, result.reason, minimumFree: minimumFree)
        }
        if parts.contains(where: { if case .failedPart = $0 { true } else { false } }) { throw ExitCode.failure }
    }
}
