// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc

/// The FFmpeg error codes that callers distinguish. Other negative codes are those of the system (`-ENOMEM`).
package enum FFmpegCode {
    package static let again: Int32 = OBSCURA_ERROR_AGAIN
    package static let endOfFile: Int32 = OBSCURA_ERROR_EOF
    /// The ``ReadControl`` ended the wait.
    package static let exit: Int32 = OBSCURA_ERROR_EXIT
    package static let invalidData: Int32 = OBSCURA_ERROR_INVALID_DATA
    package static let unauthorized: Int32 = OBSCURA_ERROR_HTTP_UNAUTHORIZED
    package static let forbidden: Int32 = OBSCURA_ERROR_HTTP_FORBIDDEN
    package static let notFound: Int32 = OBSCURA_ERROR_HTTP_NOT_FOUND
    package static let protocolNotFound: Int32 = OBSCURA_ERROR_PROTOCOL_NOT_FOUND

    /// FFmpeg's description of a code.
    package static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress else { return "error \(code)" }
            _ = libav.av_strerror(code, base, buffer.count)
            return String(cString: base)
        }
    }
}
