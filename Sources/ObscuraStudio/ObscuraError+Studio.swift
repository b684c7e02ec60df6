// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura

extension ObscuraError.Domain {
    /// The Studio: its cameras and its library.
    public static let studio = Self("studio")
}

extension ObscuraError.Code {
    /// A file name that the folder must not contain: empty, too long, hidden, or with a slash.
    public static let invalidName = Self("invalidName")
    /// There is no such photo or movie in the folder.
    public static let noSuchItem = Self("noSuchItem")
    /// The Studio has no such camera.
    public static let noSuchCamera = Self("noSuchCamera")
    /// The server was not started with this permission.
    public static let notAllowed = Self("notAllowed")
    /// It is already in progress, or it is not in progress: a recording, for example.
    public static let wrongState = Self("wrongState")
    /// More than the Studio accepts: cameras, tiles, pages, bytes.
    public static let tooMuch = Self("tooMuch")
    /// The camera, the disk or a codec failed.
    public static let failed = Self("failed")
}

extension ObscuraError {
    static let noSuchCamera = ObscuraError(
        .studio, .noSuchCamera, subject: "camera", reason: "the Studio has none with this id",
        advice: "It may have been closed; reload the page.")
}
