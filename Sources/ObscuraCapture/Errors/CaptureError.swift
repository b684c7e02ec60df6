// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// What can fail between a camera and its readers.
public struct CaptureError: ObscuraError {
    /// What kind of failure it is; open for new ones.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        init(_ description: String) {
            self.description = description
        }

        /// No such camera, file or address.
        public static let noSuchDevice = Code("noSuchDevice")
        /// This process may not use the camera.
        public static let notAuthorized = Code("notAuthorized")
        /// Another process or session uses it.
        public static let deviceInUse = Code("deviceInUse")
        /// It is not there any more.
        public static let deviceDisconnected = Code("deviceDisconnected")
        /// It has no such mode.
        public static let unsupportedFormat = Code("unsupportedFormat")
        /// It has no such control, or none that can be set.
        public static let unsupportedControl = Code("unsupportedControl")
        /// A control does not take such a value.
        public static let invalidValue = Code("invalidValue")
        /// Another control governs this one at the moment.
        public static let controlInactive = Code("controlInactive")
        /// The file or stream cannot be read.
        public static let unreadable = Code("unreadable")
        /// The file or stream ended before its end; what came before is whole.
        public static let truncated = Code("truncated")
        /// The device or the connection did not answer in time.
        public static let timedOut = Code("timedOut")
        /// A session with these inputs, outputs and settings makes no sense.
        public static let invalidConfiguration = Code("invalidConfiguration")
        /// The reader of a lossless source holds so many frames that no more can come.
        public static let outOfBuffers = Code("outOfBuffers")
        /// It needs a running session, and the session does not run.
        public static let notRunning = Code("notRunning")
        /// It was stopped while it was under way.
        public static let cancelled = Code("cancelled")
        /// The user's settings cannot be read or written.
        public static let unusableSettings = Code("unusableSettings")
        /// The device failed in another way.
        public static let deviceFailed = Code("deviceFailed")
    }

    /// A process that has the device.
    public struct Holder: Sendable, Hashable, Codable {
        /// Its number.
        public let pid: Int32
        /// The command's name, of at most 15 characters.
        public let name: String

        /// The process `pid`, by its command's name.
        public init(pid: Int32, name: String) {
            self.pid = pid
            self.name = name
        }
    }

    /// What kind of failure it is.
    public let code: Code
    /// On which device, file or address it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?
    /// The `errno` beneath, where there is one.
    public let errno: Int32?
    /// Who has the device, where it is in use and the system shows by whom.
    public let holders: [Holder]

    /// A failure, for drivers and outputs of one's own.
    public init(
        _ code: Code, subject: String, reason: String, advice: String? = nil, errno: Int32? = nil,
        holders: [Holder] = []
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
        self.errno = errno
        self.holders = holders
    }

    /// Any error as one of this area.
    package init(wrapping error: any Error, subject: String) {
        switch error {
        case let error as CaptureError: self = error
        case let error as any ObscuraError:
            self.init(.deviceFailed, subject: error.subject, reason: error.reason, advice: error.advice)
        default: self.init(.deviceFailed, subject: subject, reason: "\(error)")
        }
    }

    /// What the caller's own closure threw, while the session was being changed.
    init(refusing error: any Error) {
        if let error = error as? CaptureError {
            self = error
        } else {
            self.init(.invalidConfiguration, subject: "session", reason: "the change was given up: \(error)")
        }
    }

    package static func cancelled(_ subject: String) -> CaptureError {
        CaptureError(.cancelled, subject: subject, reason: "it was stopped meanwhile")
    }
}
