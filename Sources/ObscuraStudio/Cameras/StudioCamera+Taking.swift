// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension StudioCamera {
    /// Maximum number of photos per request.
    static let mostPhotos = 20

    /// Takes photos from consecutive frames, the first of which is the one displayed at `pressedAt`, and saves them to
    /// the folder.
    ///
    /// - Parameter taken: called for each complete file, also if a later photo fails.
    /// - Returns: the names of the files, in order.
    func takePhotos(
        _ request: PhotosRequest, pressedAt: HostTime = .now, into folder: MediaFolder,
        taken: (String) -> Void = { _ in }
    ) async throws -> [String] {
        let (count, settings) = (request.count ?? 1, try request.settings)
        guard (1...Self.mostPhotos).contains(count) else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "count",
                reason: "the number of photos must be 1 to \(Self.mostPhotos), not \(count)")
        }
        return try await use {
            var names: [String] = []
            let burst = try await photos.captureBurst(
                count: count, interval: .zero, settings: settings, pressedAt: pressedAt)
            for try await photo in burst {
                let place = try await folder.freshPath(prefix: "photo", ending: request.format == .png ? "png" : "jpg")
                try await photo.write(to: place.path)
                names.append(place.name)
                taken(place.name)
            }
            return names
        }
    }

    /// Starts to record a movie in the folder. The camera runs until the recording ends.
    func startRecording(_ request: RecordingRequest, into folder: MediaFolder) async throws {
        if let duration = request.maxDuration, !(0.1...1_000_000).contains(duration) {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "maxDuration",
                reason: "it must be 0.1 to 1,000,000 seconds, not \(duration)")
        }
        if let size = request.maxSize, size < MovieFileOutput.smallestFileSize {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "maxSize",
                reason: "it must be at least \(MovieFileOutput.smallestFileSize) bytes, not \(size)")
        }
        let place = try await folder.freshPath(prefix: "movie", ending: "mp4")
        try state.withLock { state throws(ObscuraError) in
            guard !state.isRemoved else { throw .noSuchCamera }
            guard state.recording == nil else {
                throw ObscuraError(
                    .studio, .wrongState, subject: state.device.localizedName, reason: "it is already being recorded",
                    advice: "Stop the recording first.")
            }
            state.recording = RunningRecording(
                name: place.name, path: place.path, maxDuration: request.maxDuration, maxSize: request.maxSize)
        }
        acquire()
        do {
            try await start()
            movie.maxRecordedDuration = request.maxDuration.map { MediaTime(seconds: $0) }
            movie.maxRecordedFileSize = request.maxSize
            try await movie.startRecording(to: place.path)
            state.withLock { $0.recording?.isBegun = true }
        } catch {
            state.withLock { $0.recording = nil }
            release()
            throw error
        }
        announcer.noteChange()
    }

    /// - Throws: ``ObscuraError/Code/wrongState`` if no recording is in progress.
    func setRecordingPaused(_ isPaused: Bool) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard state.recording != nil else { throw Self.notRecording(state) }
            state.recording?.isPaused = isPaused
        }
        if isPaused { movie.pauseRecording() } else { movie.resumeRecording() }
        announcer.noteChange()
    }

    /// Stops the recording, and waits until the file is complete.
    ///
    /// - Returns: the name of the file, and the result.
    func stopRecording() async throws -> (name: String, result: RecordingResult) {
        let name = try state.withLock { state throws(ObscuraError) in
            guard let recording = state.recording, recording.isBegun else { throw Self.notRecording(state) }
            return recording.name
        }
        guard let result = await movie.stopRecording() else { throw state.withLock { Self.notRecording($0) } }
        // Does not wait for the event: the state must show the end when this returns.
        finish(result)
        return (name, result)
    }

    private static func notRecording(_ state: State) -> ObscuraError {
        ObscuraError(
            .studio, .wrongState, subject: state.device.localizedName, reason: "it is not being recorded",
            advice: "The recording may already have ended.")
    }

    /// Handles recording events, also of recordings that end without a request.
    func note(_ event: RecordingEvent) {
        if case .finished(let result) = event { finish(result) }
    }

    private func finish(_ result: RecordingResult) {
        // The event may arrive when the next recording is in progress.
        guard let recording = state.withLock({ $0.recording }), recording.path == result.path else { return }
        // Called before the recording counts as ended, and possibly twice: the event and the stop request run on
        // different threads, and neither may return before the movie is in the visit.
        onRecorded(recording.name, result)
        let isFirst = state.withLock { state in
            guard state.recording?.path == result.path else { return false }
            state.recording = nil
            return true
        }
        guard isFirst else { return }
        release()
        announcer.post(
            Notice(
                camera: id, level: result.isUsable ? .info : .error,
                message: "\(recording.name) \(result.words).",
                advice: result.error?.remedy?.pageText))
        announcer.noteChange()
    }
}

extension RecordingResult {
    /// The result as the end of a sentence whose subject is the movie.
    var words: String {
        isUsable ? reason.words : "was not saved: \(error?.reason ?? "nothing was recorded")"
    }
}

extension RecordingResult.Reason {
    fileprivate var words: String {
        switch self {
        case .stopped: "was saved"
        case .maximumDuration: "was saved: the maximum duration was reached"
        case .maximumFileSize: "was saved: the maximum size was reached"
        case .diskFull: "ended early: the disk is full"
        case .cameraGone: "ended early: the camera was disconnected"
        case .microphoneGone: "ended early: the microphone was disconnected"
        case .sessionStopped: "was saved: the camera was stopped"
        case .sourceEnded: "was saved: the source has ended"
        case .encoderFailed: "ended early: a frame or an audio buffer could not be encoded"
        case .writingFailed: "ended early: the file could not be written"
        }
    }
}
