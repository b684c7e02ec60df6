// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError {
    /// The kind of failure. The set of codes is open: drivers and outputs outside of this package can add codes.
    ///
    /// Codes that only one module uses are declared in that module.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, such as `deviceInUse`; stable between versions.
        public let description: String

        /// Creates a code for a driver or an output outside of this package.
        public init(_ description: String) {
            self.description = description
        }
    }
}

extension ObscuraError.Code {
    // MARK: Values and memory

    /// The width or height of a pixel buffer is not in 1...32768, or the pixel format is compressed.
    public static let invalidSize = Self("invalidSize")
    /// The latitude, longitude or altitude is out of range.
    public static let invalidLocation = Self("invalidLocation")
    /// All buffers of the pool are in use.
    public static let poolExhausted = Self("poolExhausted")
    /// The system cannot provide more memory or threads.
    public static let outOfMemory = Self("outOfMemory")

    // MARK: Requests

    /// The settings are invalid, or contradict each other.
    public static let invalidSettings = Self("invalidSettings")
    /// The request is invalid for the frame or the camera, such as a crop outside of the frame.
    public static let invalidRequest = Self("invalidRequest")
    /// The call is not allowed in the current state, such as the start of a recording while another recording is
    /// running.
    public static let invalidState = Self("invalidState")
    /// The operation was cancelled before it finished.
    public static let cancelled = Self("cancelled")

    // MARK: Files

    /// The file name is invalid.
    public static let invalidPath = Self("invalidPath")
    /// The file exists, and overwriting is not allowed.
    public static let fileExists = Self("fileExists")
    /// The disk is full, or the disk quota is exhausted.
    public static let diskFull = Self("diskFull")
    /// The system does not allow the file to be created or written.
    public static let notWritable = Self("notWritable")
    /// The file could not be written, for a reason that has no code of its own.
    public static let writingFailed = Self("writingFailed")
    /// The program that reads from the pipe has closed the pipe.
    public static let closedPipe = Self("closedPipe")
    /// The writer is closed and accepts no more frames.
    public static let closed = Self("closed")
    /// The size or format of the frames changed within one stream.
    public static let formatChanged = Self("formatChanged")
    /// A frame could not be converted to the format of the file.
    public static let encodingFailed = Self("encodingFailed")

    // MARK: Reading and devices

    /// The file or stream cannot be read.
    public static let unreadable = Self("unreadable")
    /// The file or stream ended too early. The complete frames before the end were delivered.
    public static let truncated = Self("truncated")
    /// The data is not a complete image or movie.
    public static let damaged = Self("damaged")
    /// The image or the file is larger than the format or a limit allows.
    public static let tooLarge = Self("tooLarge")
    /// The camera does not support the requested mode, or no conversion to the pixel format exists.
    public static let unsupportedFormat = Self("unsupportedFormat")
    /// The camera or microphone does not exist.
    public static let noSuchDevice = Self("noSuchDevice")
    /// The file does not exist, or nothing is available at the address.
    public static let notFound = Self("notFound")
    /// The process or the user has no permission to use the device, the file or the server.
    public static let notAuthorized = Self("notAuthorized")

    /// A library that Obscura loads on first use, such as ObscuraOpenCV, cannot be loaded. The cause can be a missing
    /// dependency of the library.
    public static let libraryMissing = Self("libraryMissing")

    // MARK: Networks

    /// The device, the server or the client did not respond in time.
    public static let timedOut = Self("timedOut")
    /// The connection to a server failed, or a broadcast over SRT or RTSP cannot listen on its address.
    public static let connectionFailed = Self("connectionFailed")
    /// The server's certificate is not trusted, or was issued for another host name. No password was sent.
    public static let certificateNotTrusted = Self("certificateNotTrusted")
    /// The video or audio encoder failed, or accepted no data for too long.
    public static let encoderFailed = Self("encoderFailed")
}
