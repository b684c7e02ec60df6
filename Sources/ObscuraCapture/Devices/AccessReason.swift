// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The reason for an ``AuthorizationStatus`` other than `authorized`.
public enum AccessReason: String, Sendable, Hashable, CaseIterable, Codable {
    /// The user was not asked yet. The status is `notDetermined`.
    case notAsked
    /// The user denied the use of cameras in the permission dialog or in the settings of the system. The status is
    /// `denied`.
    case deniedByUser
    /// The administrator has switched cameras off for all programs (lockdown). The status is `restricted`.
    case lockdown
    /// There is no session bus, or no desktop portal that supports cameras. The status is `restricted`.
    case noPortal
    /// The desktop portal or its dialog failed or did not respond. The user can be asked again: the status is
    /// `notDetermined`.
    case portalFailed
    /// The desktop portal does not connect this process to PipeWire, although the user has granted access. The status is
    /// `restricted`.
    case connectionRefused
    /// The file permissions of the device exclude this process. The status is `denied`.
    case filePermissions
    /// The file permissions allow access, but a policy of the system forbids it, as in a container. The status is
    /// `restricted`.
    case systemPolicy
}

extension AccessReason {
    /// The reason as the end of a sentence that begins with the device.
    package var sentence: String {
        switch self {
        case .notAsked: "the user has not been asked for permission yet"
        case .deniedByUser: "the user has denied access"
        case .lockdown: "the administrator has switched cameras off"
        case .noPortal: "there is no desktop portal that could ask for permission"
        case .portalFailed: "the desktop portal could not ask for permission"
        case .connectionRefused: "the desktop portal refuses the connection, although access was granted"
        case .filePermissions: "this process has no permission to use it"
        case .systemPolicy: "a policy of the system forbids its use"
        }
    }
}
