// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError.Domain {
    /// The domain of errors of reading movies and network sources.
    public static let movies = Self("movies")
    /// The domain of errors of encoding and writing movies.
    public static let recording = Self("recording")
    /// The domain of errors of sending streams to servers and viewers.
    public static let broadcast = Self("broadcast")
}

extension ObscuraError.Code {
    /// The protocol of the address is not supported by FFmpeg, or not allowed by Obscura.
    public static let unsupportedProtocol = Self("unsupportedProtocol")
    /// The file is not a movie, or its container is not supported.
    public static let unsupportedContainer = Self("unsupportedContainer")
    /// No decoder is available for the codec.
    public static let unsupportedCodec = Self("unsupportedCodec")
    /// The movie has no video stream.
    public static let noVideo = Self("noVideo")
    /// No encoder that ``EncoderPolicy`` allows is available.
    public static let encoderUnavailable = Self("encoderUnavailable")
    /// The file has no data from which a movie can be recovered.
    public static let notRecoverable = Self("notRecoverable")
    /// Another process is still recording to the file.
    public static let stillRecording = Self("stillRecording")
    /// The address or its parameters are invalid.
    public static let invalidAddress = Self("invalidAddress")
    /// The host name cannot be resolved.
    public static let hostNotFound = Self("hostNotFound")
    /// The connection was lost after it was established.
    public static let connectionLost = Self("connectionLost")
    /// The server rejected the stream.
    public static let refused = Self("refused")
    /// The camera or the movie that a broadcast sends failed.
    public static let sourceFailed = Self("sourceFailed")
}
