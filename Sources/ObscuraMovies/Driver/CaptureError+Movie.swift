// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

extension CaptureError {
    /// What a movie's error is to a session.
    init(_ error: MovieError) {
        let code: Code =
            switch error.code {
            case .notFound, .unsupportedProtocol: .noSuchDevice
            case .notAuthorized: .notAuthorized
            case .truncated: .truncated
            case .connectionFailed: .deviceDisconnected
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .outOfMemory: .deviceFailed
            default: .unreadable
            }
        let words = error.libraryMessage.map { " (FFmpeg: \($0))" } ?? ""
        self.init(
            code, subject: error.subject, reason: error.reason + words, advice: error.advice, errno: error.errno)
    }
}
