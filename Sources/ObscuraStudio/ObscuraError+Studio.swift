// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

extension ObscuraError.Domain {
    /// The domain of errors of the Studio (the web app of Obscura), its cameras and its library.
    public static let studio = Self("studio")
}

extension ObscuraError.Code {
    /// The file name is not permitted in the library folder: it is empty, too long, hidden, or contains a slash.
    public static let invalidName = Self("invalidName")
    /// The library folder contains no photo or movie with this name.
    public static let noSuchItem = Self("noSuchItem")
    /// The Studio has no camera with this id.
    public static let noSuchCamera = Self("noSuchCamera")
    /// The server was started without the permission that the request needs; see
    /// ``StudioConfiguration/allowsSources``.
    public static let notAllowed = Self("notAllowed")
    /// The request is not allowed in the current state, such as a second start of a recording that is in progress.
    public static let wrongState = Self("wrongState")
    /// A limit of the Studio is exceeded, such as the number of cameras or open pages, or the size of a file.
    public static let tooMuch = Self("tooMuch")
    /// The camera, the disk or a codec failed.
    public static let failed = Self("failed")
}

extension ObscuraError {
    static let noSuchCamera = ObscuraError(
        .studio, .noSuchCamera, subject: "camera", reason: "the Studio has no camera with this id",
        advice: "The camera may have been closed; reload the page.")
}
