// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

extension ObscuraError {
    /// Converts an error code of FFmpeg that occurred during `action` ("opening").
    package init(
        ffmpeg code: Int32, subject: String, action: String, isNetwork: Bool, log: FFmpegLog, control: ReadControl
    ) {
        let words = log.message
        func make(_ kind: Code, _ reason: String, _ advice: String? = nil) -> ObscuraError {
            ObscuraError(
                .movies, kind, subject: subject, reason: reason, advice: advice, errno: code > -4096 ? -code : nil,
                libraryMessage: words)
        }
        switch code {
        case _ where control.isCancelled:
            self = .cancelled(.movies, subject)
        case _ where isNetwork && action == "opening" && Self.isOfCertificate(log.firstLine):
            self = ObscuraError(
                .movies, .certificateNotTrusted, subject: subject, reason: "the server's certificate is not trusted",
                remedy: .trustSource, libraryMessage: log.firstLine.map { "FFmpeg: \($0)" })
        case FFmpegCode.exit, -ETIMEDOUT:
            self = make(
                .timedOut, "no data arrived in time while \(action)",
                isNetwork
                    ? "Check the address and the network, or allow more time." : "Check the disk, or allow more time.")
        case -ENOMEM:
            self = .outOfMemory(.movies, subject)
        case OBSCURA_ERROR_HTTP_UNAUTHORIZED, OBSCURA_ERROR_HTTP_FORBIDDEN, -EACCES, -EPERM:
            self = make(
                .notAuthorized, "access was denied",
                isNetwork ? "Check the user name and the password." : "Check the permissions of the file.")
        case OBSCURA_ERROR_HTTP_NOT_FOUND, -ENOENT:
            self = make(.notFound, "it does not exist")
        case OBSCURA_ERROR_PROTOCOL_NOT_FOUND:
            self = make(.unsupportedProtocol, "it requires a protocol that is not supported")
        case OBSCURA_ERROR_INVALID_DATA:
            self = .noMovie(subject, words)
        case OBSCURA_ERROR_EOF where !isNetwork, -EINVAL where !isNetwork:
            // The error of a demuxer that was chosen only by the file name.
            self = .noMovie(subject, words)
        case _ where isNetwork && code > -4096:
            self = make(.connectionFailed, "the connection failed while \(action): \(FFmpegCode.text(code))")
        default:
            self = make(.unreadable, "\(action) failed: \(FFmpegCode.text(code))")
        }
    }

    /// Whether the line is FFmpeg's message about a certificate that it verified with GnuTLS.
    private static func isOfCertificate(_ line: String?) -> Bool {
        guard let line else { return false }
        return ["peer certificate", "Peer certificate", "The certificate's owner"].contains { line.contains($0) }
    }

    /// Returns the error for a file that is not a movie.
    package static func noMovie(_ subject: String, _ words: String?) -> ObscuraError {
        ObscuraError(
            .movies, .unsupportedContainer, subject: subject,
            reason: "it is not a movie, or its beginning or its index is missing",
            libraryMessage: words)
    }
}
