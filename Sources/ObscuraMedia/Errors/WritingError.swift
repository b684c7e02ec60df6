// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What can fail when frames, photos and movies are written to files and pipes.
///
/// Whatever it is, what was written before stays whole.
public struct WritingError: ObscuraError, Hashable {
    /// What kind of failure it is; open for new ones.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `fileExists`.
        public let description: String

        package init(_ description: String) {
            self.description = description
        }

        /// The name of the output makes no sense.
        public static let invalidPath = Code("invalidPath")
        /// The file is there already, and may not be overwritten.
        public static let fileExists = Code("fileExists")
        /// The disk, or the quota on it, is full.
        public static let noSpace = Code("noSpace")
        /// Whoever read the pipe has gone.
        public static let closedPipe = Code("closedPipe")
        /// The system refused to make or write the file.
        public static let notWritable = Code("notWritable")
        /// The pictures changed their size or format within one stream of them.
        public static let formatChanged = Code("formatChanged")
        /// A picture could not be brought into the format of the file.
        public static let encodingFailed = Code("encodingFailed")
        /// The reader of a pipe, or a disk, did not take what was left in time.
        public static let timedOut = Code("timedOut")
        /// The writer takes no more frames.
        public static let closed = Code("closed")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The file or pipe.
    public let subject: String
    /// What went wrong, as the end of a sentence that begins with the subject.
    public let reason: String
    /// What the user can do; nil where nobody can do anything.
    public let advice: String?
    /// The `errno` beneath, where there is one.
    public let errno: Int32?

    /// A failure of a writer of one's own.
    ///
    /// - Parameters:
    ///   - subject: the file or pipe.
    ///   - reason: what went wrong, as the end of a sentence that begins with the subject.
    ///   - advice: what the user can do.
    ///   - errno: the system's own number, where there is one.
    public init(_ code: Code, subject: String, reason: String, advice: String? = nil, errno: Int32? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
        self.errno = errno
    }

    /// Any error of making a file's bytes out of a picture; an error of writing stays as it is.
    public init(wrapping error: any Error, subject: String) {
        switch error {
        case let error as WritingError: self = error
        case let error as any ObscuraError:
            self.init(
                .encodingFailed, subject: subject, reason: "\(error.subject): \(error.reason)", advice: error.advice)
        default: self.init(.encodingFailed, subject: subject, reason: "\(error)")
        }
    }

    package static func fileExists(_ path: String) -> WritingError {
        WritingError(
            .fileExists, subject: path, reason: "it is there already",
            advice: "Give another name, or allow overwriting (overwrites: true).")
    }

    package static func closed(_ path: String) -> WritingError {
        WritingError(.closed, subject: path, reason: "it was closed and takes no more frames")
    }
}
