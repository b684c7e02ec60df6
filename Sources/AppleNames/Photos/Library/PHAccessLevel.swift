// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The purpose of an authorization.
public enum PHAccessLevel: Int, Sendable {
    /// To add assets.
    case addOnly = 1
    /// To read and change the library.
    case readWrite = 2
}

/// The permission of this process to use the library.
public enum PHAuthorizationStatus: Int, Sendable {
    /// The user has not been asked. Never returned on Linux, where the permissions of the folder decide.
    case notDetermined = 0
    /// The folder of the library can only be read.
    case restricted = 1
    /// The folder of the library cannot be read or created.
    case denied = 2
    /// The folder of the library can be read and changed, or created.
    case authorized = 3
    /// The program sees only the assets that the user has selected. Never returned on Linux.
    case limited = 4
}
