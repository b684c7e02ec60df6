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
    public var domain: Domain { storage.content.domain }
    /// The kind of failure.
    public var code: Code { storage.content.code }
    /// The device, file, address or setting that the error is about.
    public var subject: String { storage.content.subject }
    /// The cause, as the end of a sentence that begins with the subject.
    public var reason: String { storage.content.reason }
    /// The remedy; nil if no remedy is known.
    public var remedy: Remedy? { storage.content.remedy }
    /// The error number of the failed system call (errno); nil if no system call failed.
    public var errno: Int32? { storage.content.errno }
    /// The last message of the library that failed, such as FFmpeg; nil if there is no message.
    public var libraryMessage: String? { storage.content.libraryMessage }
    /// The processes that use the device; empty if the device is not in use, or the system does not report the
    /// processes.
    public var holders: [Holder] { storage.content.holders }
    /// The path of a file with all data written before the failure; nil if there is no such file.
    public var usableFile: String? { storage.content.usableFile }

    /// What the error says. A reference, so that the results of calls that hardly ever fail stay small.
    private var storage: Storage

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
        storage = Storage(
            Content(
                domain: domain, code: code, subject: AddressMask.masked(subject), reason: AddressMask.masked(reason),
                remedy: remedy, errno: errno, libraryMessage: libraryMessage.map { AddressMask.masked($0) },
                holders: holders))
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

    /// Whether both errors say the same.
    public static func == (lhs: ObscuraError, rhs: ObscuraError) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.content == rhs.storage.content
    }

    /// Hashes what the error says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.content)
    }

    /// Returns the same error with another subject.
    package func about(_ subject: String) -> ObscuraError {
        var error = ObscuraError(
            domain, code, subject: subject, reason: reason, remedy: remedy, errno: errno,
            libraryMessage: libraryMessage, holders: holders)
        error.setUsableFile(usableFile)
        return error
    }

    /// Sets ``usableFile``.
    package mutating func setUsableFile(_ path: String?) {
        var content = storage.content
        content.usableFile = path
        storage = Storage(content)
    }

    private struct Content: Hashable {
        let domain: Domain
        let code: Code
        let subject: String
        let reason: String
        let remedy: Remedy?
        let errno: Int32?
        let libraryMessage: String?
        let holders: [Holder]
        var usableFile: String?
    }

    private final class Storage: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
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
