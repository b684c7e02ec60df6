// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

/// What can fail in the Studio and in an ``HLSServer``: the server, the folder of photos and movies or of segments, and
/// what a page asks for.
public struct StudioError: ObscuraError, Hashable {
    /// What kind of failure it is.
    public enum Code: String, Sendable, Hashable {
        /// The port is taken, or the address is none of this machine.
        case cannotListen
        /// The address is not of this machine alone, and there is neither TLS nor a word that it may be without.
        case unprotectedAddress
        /// The certificate or its key cannot be read, or they do not belong together.
        case invalidCertificate
        /// The files of the page are not beside the program.
        case missingResources
        /// The folder of photos and movies, or that of segments, cannot be made, read or written.
        case unusableFolder
        /// The name is none that the folder may hold: empty, too long, with a slash, hidden.
        case invalidName
        /// There is no such file in the folder, or it is neither a photo nor a movie.
        case noSuchItem
        /// There is no such camera in the Studio.
        case noSuchCamera
        /// There is no such device on this machine.
        case noSuchDevice
        /// The server was not started with that permission.
        case notAllowed
        /// The request makes no sense.
        case invalidRequest
        /// What was asked for goes on already, or does not go on: a recording, say.
        case wrongState
        /// More than the Studio can take: cameras, tiles, pages, bytes.
        case tooMuch
        /// The disk is full.
        case noSpace
        /// The camera, the disk or a codec failed.
        case failed
    }

    /// What kind of failure it is.
    public let code: Code
    /// On what it failed.
    public let subject: String
    /// What went wrong.
    public let reason: String
    /// What the user can do.
    public let advice: String?

    init(_ code: Code, subject: String, reason: String, advice: String? = nil) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.advice = advice
    }
}

extension StudioError {
    static let noSuchCamera = StudioError(
        .noSuchCamera, subject: "camera", reason: "the Studio has none of this id",
        advice: "It may have been closed; load the page anew.")
}
