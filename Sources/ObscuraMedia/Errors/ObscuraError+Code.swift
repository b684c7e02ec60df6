// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError {
    /// The kind of failure. Open: drivers and outputs outside of this package can have their own.
    ///
    /// Each module adds the codes that only it uses.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, such as `deviceInUse`. It does not change between versions.
        public let description: String

        /// A code of a driver or an output outside of this package.
        public init(_ description: String) {
            self.description = description
        }
    }
}

extension ObscuraError.Code {
    // MARK: Values and memory

    /// A side is not in 1...32768, or the format has no planes.
    public static let invalidSize = Self("invalidSize")
    /// A latitude, longitude or altitude is not on the earth.
    public static let invalidLocation = Self("invalidLocation")
    /// Each buffer of the pool is in use.
    public static let poolExhausted = Self("poolExhausted")
    /// The system has no memory, or no threads, left.
    public static let outOfMemory = Self("outOfMemory")

    // MARK: Requests

    /// Settings that make no sense, or do not fit together.
    public static let invalidSettings = Self("invalidSettings")
    /// A request that makes no sense for the picture or the camera, such as a crop outside of the picture.
    public static let invalidRequest = Self("invalidRequest")
    /// The call does not fit the state, such as an append after the end.
    public static let invalidState = Self("invalidState")
    /// It was stopped before its end.
    public static let cancelled = Self("cancelled")

    // MARK: Files

    /// A file name that makes no sense.
    public static let invalidPath = Self("invalidPath")
    /// The file exists, and may not be overwritten.
    public static let fileExists = Self("fileExists")
    /// The disk, or the quota on it, is full.
    public static let diskFull = Self("diskFull")
    /// The system refuses to create or write the file.
    public static let notWritable = Self("notWritable")
    /// Writing failed for another reason.
    public static let writingFailed = Self("writingFailed")
    /// The reader of the pipe has gone.
    public static let closedPipe = Self("closedPipe")
    /// The writer is closed and accepts nothing more.
    public static let closed = Self("closed")
    /// The pictures changed their size or format within one stream.
    public static let formatChanged = Self("formatChanged")
    /// A picture could not be converted to the format of the file.
    public static let encodingFailed = Self("encodingFailed")

    // MARK: Reading and devices

    /// The file or stream cannot be read.
    public static let unreadable = Self("unreadable")
    /// The file or stream ended early; what came before is complete.
    public static let truncated = Self("truncated")
    /// The bytes are not a complete picture or movie.
    public static let damaged = Self("damaged")
    /// The picture is larger than the format or a limit allows.
    public static let tooLarge = Self("tooLarge")
    /// There is no such mode, or no conversion to the pixel format.
    public static let unsupportedFormat = Self("unsupportedFormat")
    /// There is no such camera or microphone.
    public static let noSuchDevice = Self("noSuchDevice")
    /// There is no such file, or nothing at the address.
    public static let notFound = Self("notFound")
    /// This process or this user has no permission.
    public static let notAuthorized = Self("notAuthorized")

    // MARK: Networks

    /// The device, the server or the reader did not respond in time.
    public static let timedOut = Self("timedOut")
    /// The server did not respond, or closed the connection.
    public static let connectionFailed = Self("connectionFailed")
    /// The server's certificate is not trusted, or is for another name. No password was sent.
    public static let certificateNotTrusted = Self("certificateNotTrusted")
    /// The encoder failed.
    public static let encoderFailed = Self("encoderFailed")
}
