// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension StudioCamera {
    /// The most photos of one press.
    static let mostPhotos = 20

    /// Takes photos one frame after the other, beginning with the one that was on the screen at `pressedAt`, into the
    /// folder.
    ///
    /// - Parameter taken: told of each file when it is whole, also of those before one that fails.
    /// - Returns: the names of the files, in order.
    func takePhotos(
        _ count: Int, pressedAt: HostTime = .now, into folder: MediaFolder, taken: (String) -> Void = { _ in }
    ) async throws -> [String] {
        guard (1...Self.mostPhotos).contains(count) else {
            throw ObscuraError(.studio, .invalidRequest, subject: "count", reason: "it is 1 to \(Self.mostPhotos)")
        }
        return try await use {
            var names: [String] = []
            for try await photo in try await photos.captureBurst(count: count, interval: .zero, pressedAt: pressedAt) {
                let place = try await folder.freshPath(prefix: "photo", ending: "jpg")
                try await photo.write(to: place.path)
                names.append(place.name)
                taken(place.name)
            }
            return names
        }
    }

    /// Begins a movie in the folder. It keeps the camera running.
    func startRecording(_ request: RecordingRequest, into folder: MediaFolder) async throws {
        if let duration = request.maxDuration, !(0.1...1_000_000).contains(duration) {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "maxDuration", reason: "it is 0.1 to 1,000,000 seconds")
        }
        if let size = request.maxSize, size < MovieFileOutput.smallestFileSize {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "maxSize",
                reason: "it is \(MovieFileOutput.smallestFileSize) bytes at least")
        }
        let place = try await folder.freshPath(prefix: "movie", ending: "mp4")
        try state.withLock { state throws(ObscuraError) in
            guard !state.isRemoved else { throw .noSuchCamera }
            guard state.recording == nil else {
                throw ObscuraError(
                    .studio, .wrongState, subject: state.device.localizedName, reason: "it is being recorded already",
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

    /// - Throws: ``ObscuraError/Code/wrongState`` where nothing is recorded.
    func setRecordingPaused(_ isPaused: Bool) throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard state.recording != nil else { throw Self.notRecording(state) }
            state.recording?.isPaused = isPaused
        }
        if isPaused { movie.pauseRecording() } else { movie.resumeRecording() }
        announcer.noteChange()
    }

    /// Ends the movie, and waits until its file is whole.
    ///
    /// - Returns: the name of the file, and how it ended.
    func stopRecording() async throws -> (name: String, result: RecordingResult) {
        let name = try state.withLock { state throws(ObscuraError) in
            guard let recording = state.recording, recording.isBegun else { throw Self.notRecording(state) }
            return recording.name
        }
        guard let result = await movie.stopRecording() else { throw state.withLock { Self.notRecording($0) } }
        // Not only when the event comes: whoever asks next sees that it has ended.
        finish(result)
        return (name, result)
    }

    private static func notRecording(_ state: State) -> ObscuraError {
        ObscuraError(
            .studio, .wrongState, subject: state.device.localizedName, reason: "it is not being recorded",
            advice: "It may have ended by itself.")
    }

    /// What happens to recordings, also those that end by themselves.
    func note(_ event: RecordingEvent) {
        if case .finished(let result) = event { finish(result) }
    }

    private func finish(_ result: RecordingResult) {
        // The event may come when the next recording is under way.
        guard let recording = state.withLock({ $0.recording }), recording.path == result.path else { return }
        // Before the recording counts as ended, and perhaps twice: the thread of the event and the one that stopped it
        // may be here at the same time, and neither may return before the movie is in the visit.
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
    /// As the end of a sentence that begins with the movie.
    var words: String {
        isUsable ? reason.words : "was not saved: \(error?.reason ?? "nothing was recorded")"
    }
}

extension RecordingResult.Reason {
    fileprivate var words: String {
        switch self {
        case .stopped: "was saved"
        case .maximumDuration: "was saved: it has the length that was asked for"
        case .maximumFileSize: "was saved: it has the size that was asked for"
        case .diskFull: "ended early: the disk is full"
        case .cameraGone: "ended early: the camera is gone"
        case .microphoneGone: "ended early: the microphone is gone"
        case .sessionStopped: "was saved: the camera was stopped"
        case .sourceEnded: "was saved: the film is at its end"
        case .encoderFailed: "ended early: a picture or a sound could not be encoded"
        case .writingFailed: "ended early: the file could not be written"
        }
    }
}
