// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVError {
    /// The error of a recording that has ended; nil for one that was stopped, or whose source has ended, and that is
    /// complete.
    init?(_ result: RecordingResult) {
        if result.reason == .stopped || result.reason == .sessionStopped, result.duration == .zero, !result.isUsable {
            self.init(.noDataCaptured, cause: result.error, recordingSuccessfullyFinished: false)
            return
        }
        if let error = result.error {
            self.init(error, recordingSuccessfullyFinished: result.isUsable)
            return
        }
        let code: Code
        switch result.reason {
        case .stopped, .sourceEnded: return nil
        case .maximumDuration: code = .maximumDurationReached
        case .maximumFileSize: code = .maximumFileSizeReached
        case .diskFull: code = .diskFull
        case .cameraGone, .microphoneGone: code = .deviceWasDisconnected
        case .sessionStopped: code = .sessionNotRunning
        case .encoderFailed, .writingFailed: code = .unknown
        }
        self.init(code, cause: nil, recordingSuccessfullyFinished: result.isUsable)
    }
}
