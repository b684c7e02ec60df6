// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// An error: the failed operation, its cause, and a remedy.
///
/// ```swift
/// do {
///     try await session.start()
/// } catch let error as ObscuraError where error.code == .deviceInUse {
///     print("In use by \(error.holders.map(\.name))")
/// }
/// ```
///
/// Passwords in addresses are masked in all texts.
public struct ObscuraError: Error, Sendable, Hashable {
    /// A process that uses a device.
    public struct Holder: Sendable, Hashable, Codable {
        /// The process id.
        public let pid: Int32
        /// The name of the command, of at most 15 characters.
        public let name: String

        /// Creates a holder from a process id and a command name.
        public init(pid: Int32, name: String) {
            self.pid = pid
            self.name = name
        }
    }

    /// The part of Obscura that failed.
    public let domain: Domain
    /// The kind of failure.
    public let code: Code
    /// The device, file, address or setting that the error is about.
    public let subject: String
    /// The cause, as the end of a sentence that begins with the subject.
    public let reason: String
    /// The remedy; nil if no remedy is known.
    public let remedy: Remedy?
    /// The error number of the failed system call (errno); nil if no system call failed.
    public let errno: Int32?
    /// The last message of the library that failed, such as FFmpeg; nil if there is no message.
    public let libraryMessage: String?
    /// The processes that use the device; empty if the device is not in use, or the system does not report the
    /// processes.
    public let holders: [Holder]
    /// The path of a file with all data written before the failure; nil if there is no such file.
    public package(set) var usableFile: String?

    /// Creates an error. Drivers and outputs outside of this package can use this initializer as well.
    ///
    /// - Parameters:
    ///   - domain: the failed part of Obscura, or the failed driver or output.
    ///   - code: the kind of failure, for programs.
    ///   - subject: the device, file, address or setting that the error is about.
    ///   - reason: the cause, as the end of a sentence that begins with the subject, without a full stop.
    ///   - remedy: the action that solves the problem; nil if no remedy is known.
    ///   - errno: the error number of the failed system call; nil if no system call failed.
    ///   - libraryMessage: the message of the library that failed; nil if there is no message.
    ///   - holders: the processes that use the device.
    public init(
        _ domain: Domain, _ code: Code, subject: String, reason: String, remedy: Remedy? = nil, errno: Int32? = nil,
        libraryMessage: String? = nil, holders: [Holder] = []
    ) {
        self.domain = domain
        self.code = code
        self.subject = AddressMask.masked(subject)
        self.reason = AddressMask.masked(reason)
        self.remedy = remedy
        self.errno = errno
        self.libraryMessage = libraryMessage.map { AddressMask.masked($0) }
        self.holders = holders
    }

    /// Creates an error whose remedy is a sentence.
    ///
    /// - Parameters:
    ///   - domain: the failed part of Obscura, or the failed driver or output.
    ///   - code: the kind of failure, for programs.
    ///   - subject: the device, file, address or setting that the error is about.
    ///   - reason: the cause, as the end of a sentence that begins with the subject, without a full stop.
    ///   - advice: the remedy as a sentence, for a remedy without a case in ``Remedy``; nil if no remedy is known.
    ///   - errno: the error number of the failed system call; nil if no system call failed.
    ///   - libraryMessage: the message of the library that failed; nil if there is no message.
    ///   - holders: the processes that use the device.
    public init(
        _ domain: Domain, _ code: Code, subject: String, reason: String, advice: String?, errno: Int32? = nil,
        libraryMessage: String? = nil, holders: [Holder] = []
    ) {
        self.init(
            domain, code, subject: subject, reason: reason, remedy: advice.map { .advice($0) }, errno: errno,
            libraryMessage: libraryMessage, holders: holders)
    }

    /// The remedy as a sentence in terms of the Swift API; nil if no remedy is known.
    public var advice: String? { remedy?.description }

    /// Returns `error` itself if it is an `ObscuraError`, else an error of this domain and code.
    package init(wrapping error: any Error, as domain: Domain, _ code: Code, subject: String) {
        self = error as? ObscuraError ?? ObscuraError(domain, code, subject: subject, reason: "\(error)")
    }

    /// Returns the same error with another subject.
    package func about(_ subject: String) -> ObscuraError {
        var error = ObscuraError(
            domain, code, subject: subject, reason: reason, remedy: remedy, errno: errno,
            libraryMessage: libraryMessage, holders: holders)
        error.usableFile = usableFile
        return error
    }
}

extension ObscuraError: CustomStringConvertible {
    /// One message: `subject: reason (library's message). Remedy.`
    public var description: String {
        guard let advice else { return message }
        return "\(message) \(advice)"
    }

    /// The message without the remedy.
    package var message: String {
        let words = libraryMessage.map { " (\($0))" } ?? ""
        return "\(subject): \(reason)\(words)."
    }
}
