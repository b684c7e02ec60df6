// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ObscuraError.Domain {
    /// Reading of movies and network sources.
    public static let movies = Self("movies")
    /// Encoding and writing of movies.
    public static let recording = Self("recording")
    /// Sending to servers and viewers.
    public static let broadcast = Self("broadcast")
}

extension ObscuraError.Code {
    /// FFmpeg, or Obscura's policy, does not support the protocol.
    public static let unsupportedProtocol = Self("unsupportedProtocol")
    /// Not a movie, or a container that is not supported.
    public static let unsupportedContainer = Self("unsupportedContainer")
    /// There is no decoder for the codec.
    public static let unsupportedCodec = Self("unsupportedCodec")
    /// There is no picture in it.
    public static let noVideo = Self("noVideo")
    /// There is no encoder that the policy allows.
    public static let encoderUnavailable = Self("encoderUnavailable")
    /// There is nothing in the file from which a movie can be made.
    public static let notRecoverable = Self("notRecoverable")
    /// Another process still records into the file.
    public static let stillRecording = Self("stillRecording")
    /// Not an address, or its parameters make no sense.
    public static let invalidAddress = Self("invalidAddress")
    /// There is no host with this name.
    public static let hostNotFound = Self("hostNotFound")
    /// The connection was lost while it was in use.
    public static let connectionLost = Self("connectionLost")
    /// The server rejects the stream.
    public static let refused = Self("refused")
    /// The source of the pictures failed.
    public static let sourceFailed = Self("sourceFailed")
}
