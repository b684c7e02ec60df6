// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

extension ObscuraError.Domain {
    /// The Studio, its cameras and its library.
    public static let studio = Self("studio")
}

extension ObscuraError.Code {
    /// The file name is not permitted in the folder: it is empty, too long, hidden, or contains a slash.
    public static let invalidName = Self("invalidName")
    /// The folder contains no such photo or movie.
    public static let noSuchItem = Self("noSuchItem")
    /// The Studio has no such camera.
    public static let noSuchCamera = Self("noSuchCamera")
    /// The server was started without this permission.
    public static let notAllowed = Self("notAllowed")
    /// The request does not fit the current state, such as a second start of a recording that is in progress.
    public static let wrongState = Self("wrongState")
    /// A limit of the Studio is exceeded, such as the number of cameras, tiles or pages, or a size in bytes.
    public static let tooMuch = Self("tooMuch")
    /// The camera, the disk or a codec failed.
    public static let failed = Self("failed")
}

extension ObscuraError {
    static let noSuchCamera = ObscuraError(
        .studio, .noSuchCamera, subject: "camera", reason: "the Studio has none with this id",
        advice: "It may have been closed; reload the page.")
}
