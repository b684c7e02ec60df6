// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What can fail when a movie is written or recovered.
///
/// Whatever it is, what was written before is kept where it can be: see ``usableFile``.
public struct RecordingError: ObscuraError, Hashable {
    /// What kind of failure it is; open for new ones.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        init(_ description: String) {
            self.description = description
        }

        /// The settings make no sense, or the container does not take the codec. Nothing was written.
        public static let invalidSettings = Code("invalidSettings")
        /// The call does not go with what was called before, such as an append after the end.
        public static let invalidState = Code("invalidState")
        /// The file is there already, and may not be replaced.
        public static let fileExists = Code("fileExists")
        /// The system refused to make or write the file.
        public static let notWritable = Code("notWritable")
        /// The disk, or the quota on it, is full.
        public static let diskFull = Code("diskFull")
        /// This machine, or the policy, has no encoder for the codec.
        public static let encoderUnavailable = Code("encoderUnavailable")
        /// The encoder failed on a picture or on sound.
        public static let encoderFailed = Code("encoderFailed")
        /// Writing failed in another way.
        public static let writingFailed = Code("writingFailed")
        /// The file to recover holds nothing that could be recovered.
        public static let notRecoverable = Code("notRecoverable")
        /// The file to recover is being written at this moment.
        public static let stillRecording = Code("stillRecording")
        /// The writer was cancelled.
        public static let cancelled = Code("cancelled")
        /// The system has no memory, or no threads, left.
        public static let outOfMemory = Code("outOfMemory")
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which file, codec or setting it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?
    /// The `errno` beneath, where there is one.
    public let errno: Int32?
    /// The last words of the library that encodes and writes, for people; nil where it said nothing.
    public let libraryMessage: String?
    /// The file that holds what was written before the failure, and plays; nil where there is none.
    public internal(set) var usableFile: String?

    init(
        _ code: Code, subject: String, reason: String, advice: String? = nil, errno: Int32? = nil,
        libraryMessage: String? = nil
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
        self.errno = errno
        self.libraryMessage = libraryMessage
    }

    /// The same failure of another file.
    func about(_ subject: String) -> RecordingError {
        var error = RecordingError(
            code, subject: subject, reason: reason, advice: advice, errno: errno, libraryMessage: libraryMessage)
        error.usableFile = usableFile
        return error
    }

    /// One whole message, with the library's last words.
    public var description: String {
        let words = libraryMessage.map { " (FFmpeg: \($0))" } ?? ""
        let sentence = "\(subject): \(reason)\(words)."
        guard let advice else { return sentence }
        return "\(sentence) \(advice)"
    }
}
