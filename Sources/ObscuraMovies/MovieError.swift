// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What can fail with a movie: a file or an address that is read.
///
/// Passwords in addresses are masked in all of its texts.
public struct MovieError: ObscuraError, Hashable {
    /// What kind of failure it is; open for new ones.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        init(_ description: String) {
            self.description = description
        }

        /// No such file, or no such page on the server.
        public static let notFound = Code("notFound")
        /// The file's rights or the server's answer forbid reading.
        public static let notAuthorized = Code("notAuthorized")
        /// The address begins with a protocol that is not served.
        public static let unsupportedProtocol = Code("unsupportedProtocol")
        /// The bytes are no movie of a kind that is read from such a place: a text, a playlist on disk.
        public static let unsupportedContainer = Code("unsupportedContainer")
        /// There is no decoder for the pictures.
        public static let unsupportedCodec = Code("unsupportedCodec")
        /// There is sound, or nothing, but no moving picture.
        public static let noVideo = Code("noVideo")
        /// The picture is larger than ``MovieReadingOptions/maximumSize``.
        public static let tooLarge = Code("tooLarge")
        /// The movie ends before its end. The frames that came before are whole.
        public static let truncated = Code("truncated")
        /// Frames in the middle could not be decoded. The frames that were delivered are whole.
        public static let damaged = Code("damaged")
        /// The server has not proved to be the one of the address; see ``ServerTrust``. No password was sent.
        public static let certificateNotTrusted = Code("certificateNotTrusted")
        /// The server did not answer, or hung up.
        public static let connectionFailed = Code("connectionFailed")
        /// Nothing came within the time that the options allow.
        public static let timedOut = Code("timedOut")
        /// The reading was stopped from another thread.
        public static let cancelled = Code("cancelled")
        /// The system has no memory left.
        public static let outOfMemory = Code("outOfMemory")
        /// Reading failed in another way.
        public static let unreadable = Code("unreadable")
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which file or address it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?
    /// The `errno` beneath, where there is one.
    public let errno: Int32?
    /// The last words of the library that reads movies, for people; nil where it said nothing.
    public let libraryMessage: String?

    init(
        _ code: Code, subject: String, reason: String, advice: String? = nil, errno: Int32? = nil,
        libraryMessage: String? = nil
    ) {
        self.code = code
        self.subject = AddressMask.masked(subject)
        self.reason = AddressMask.masked(reason)
        self.advice = advice
        self.errno = errno
        self.libraryMessage = libraryMessage.map { AddressMask.masked($0) }
    }

    /// One whole message, with the library's last words.
    public var description: String {
        let words = libraryMessage.map { " (FFmpeg: \($0))" } ?? ""
        let sentence = "\(subject): \(reason)\(words)."
        guard let advice else { return sentence }
        return "\(sentence) \(advice)"
    }
}
