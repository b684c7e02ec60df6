// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

extension ObscuraError {
    /// Converts an FFmpeg error code from opening a destination or sending to it.
    init(ffmpeg code: Int32, of target: BroadcastTarget, isOpening: Bool, log: FFmpegLog, control: ReadControl) {
        let words = log.firstLine.map { target.withoutSecrets($0) }
        let subject = target.name
        func make(_ kind: Code, _ reason: String, _ advice: String? = nil) -> ObscuraError {
            ObscuraError(.broadcast, kind, subject: subject, reason: reason, advice: advice, libraryMessage: words)
        }
        let said = words?.lowercased() ?? ""
        switch code {
        case _ where control.isCancelled: self = .cancelled(.broadcast, subject)
        case _ where control.hasExpired, FFmpegCode.exit, -ETIMEDOUT:
            self =
                isOpening
                ? make(.timedOut, "the server did not answer in time", "Check the address, the port and the network.")
                : .lost(subject, control, words)
        case -ENOMEM: self = .outOfMemory(.broadcast, subject)
        case _ where said.contains("certificate"):
            self = ObscuraError(
                .broadcast, .certificateNotTrusted, subject: subject, reason: "the server's certificate is not trusted",
                remedy: .trustDestination, libraryMessage: words)
        case FFmpegCode.unauthorized, FFmpegCode.forbidden:
            self = make(
                .notAuthorized, "the server rejected the user name or the password",
                "Check the user name and the password in the address.")
        case FFmpegCode.notFound: self = make(.notFound, "the path does not exist on the server")
        case -ECONNREFUSED, -EHOSTUNREACH, -ENETUNREACH, -EADDRNOTAVAIL:
            self = make(
                .connectionFailed, "cannot connect to the server",
                "Start the server, or check the address and the port.")
        case _ where !isOpening && target.isFile: self = .notWritten(subject, code, words)
        case _ where !isOpening: self = .lost(subject, control, words ?? FFmpegCode.text(code))
        case _ where target.isFile: self = .notWritten(subject, code, words)
        case _ where target.kind == .rtmp:
            // A server closes the connection for an unknown application or key, mostly without a reason.
            self = make(
                .refused, "the server rejected the stream", "Check the application and the stream key in the address.")
        default: self = make(.refused, "the server rejected the stream: \(FFmpegCode.text(code))")
        }
    }

    private static func notWritten(_ subject: String, _ code: Int32, _ words: String?) -> ObscuraError {
        ObscuraError(
            .broadcast, .notWritable, subject: subject, reason: "it cannot be written: \(FFmpegCode.text(code))",
            advice: "Check that the folder exists and is writable, and that the disk has free space.",
            libraryMessage: words)
    }
}

extension ObscuraError {
    /// Whether another connection attempt may succeed without a change of the settings.
    var mayPass: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .timedOut, .hostNotFound: true
        default: false
        }
    }
}

extension BroadcastTarget {
    var isFile: Bool { kind == .hls || kind == .movie }

    /// Returns a library message with the secrets removed.
    func withoutSecrets(_ text: String) -> String {
        var text = text
        for secret in secrets { text = text.replacing(secret, with: "***") }
        return AddressMask.masked(text)
    }
}
