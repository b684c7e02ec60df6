// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
public import ObscuraMedia

/// What can fail when pictures and sound are sent live.
///
/// Stream keys and passwords are masked in all of its texts.
public struct BroadcastError: ObscuraError, Hashable {
    /// What kind of failure it is; open for new ones.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        init(_ description: String) {
            self.description = description
        }

        /// The address is none, or what it asks for makes no sense.
        public static let invalidAddress = Code("invalidAddress")
        /// The settings make no sense. Nothing was sent.
        public static let invalidSettings = Code("invalidSettings")
        /// The call does not go with what was called before, such as a start while it runs.
        public static let invalidState = Code("invalidState")
        /// Nobody knows a machine of that name.
        public static let hostNotFound = Code("hostNotFound")
        /// The machine does not take connections there, or the network does not lead to it.
        public static let connectionFailed = Code("connectionFailed")
        /// The connection was there, and broke off.
        public static let connectionLost = Code("connectionLost")
        /// The server did not answer, or took nothing, within the time that the settings allow.
        public static let timedOut = Code("timedOut")
        /// The server wants another stream key, name or password.
        public static let notAuthorized = Code("notAuthorized")
        /// The server knows no such application or path.
        public static let notFound = Code("notFound")
        /// The server's certificate is not from anybody who is trusted, or of another name.
        public static let certificateNotTrusted = Code("certificateNotTrusted")
        /// The server understood, and refused.
        public static let refused = Code("refused")
        /// The file or folder could not be made or written.
        public static let notWritable = Code("notWritable")
        /// The camera, the microphone or the film that is sent has failed.
        public static let sourceFailed = Code("sourceFailed")
        /// There is no encoder, or it failed.
        public static let encoderFailed = Code("encoderFailed")
        /// The broadcast was ended.
        public static let cancelled = Code("cancelled")
        /// The system has no memory, or no threads, left.
        public static let outOfMemory = Code("outOfMemory")
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which destination or setting it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?
    /// The last words of the library beneath, for people; nil where it said nothing.
    public let libraryMessage: String?

    init(
        _ code: Code, subject: String, reason: String, advice: String? = nil, libraryMessage: String? = nil
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
        self.libraryMessage = libraryMessage
    }

    /// One whole message, with the library's last words.
    public var description: String {
        let words = libraryMessage.map { " (\($0))" } ?? ""
        let sentence = "\(subject): \(reason)\(words)."
        guard let advice else { return sentence }
        return "\(sentence) \(advice)"
    }

    /// Whether another attempt may go well, with nothing changed here.
    var mayPass: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .timedOut, .hostNotFound: true
        default: false
        }
    }
}

extension BroadcastError {
    static func outOfMemory(_ subject: String) -> BroadcastError {
        BroadcastError(.outOfMemory, subject: subject, reason: "the system has no memory left")
    }

    static func cancelled(_ subject: String) -> BroadcastError {
        BroadcastError(.cancelled, subject: subject, reason: "the broadcast was ended")
    }

    /// What a source says.
    init(source error: CaptureError) {
        self.init(.sourceFailed, subject: error.subject, reason: error.reason, advice: error.advice)
    }

    /// What the encoder or a file says.
    init(_ error: RecordingError, subject: String? = nil) {
        let code: Code =
            switch error.code {
            case .invalidSettings: .invalidSettings
            case .invalidState: .invalidState
            case .encoderUnavailable, .encoderFailed: .encoderFailed
            case .outOfMemory: .outOfMemory
            case .cancelled: .cancelled
            default: .notWritable
            }
        self.init(
            code, subject: subject ?? error.subject, reason: error.reason,
            // By what a file may be replaced is told where it was asked for.
            advice: error.advice?.replacing("AssetWriter.Options.", with: "BroadcastDestination."),
            libraryMessage: error.libraryMessage)
    }
}
