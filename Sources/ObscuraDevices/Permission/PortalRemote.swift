// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The outcome of a request to connect to PipeWire through the portal.
enum PortalRemote: Sendable, Hashable {
    case opened
    /// The user has not granted access, or has denied it.
    case notAllowed
    /// The administrator has switched cameras off.
    case lockdown
    /// There is no bus, no portal, or none for cameras.
    case absent
    /// The portal failed or did not respond, or PipeWire does not run.
    case failed

    init(_ failure: DBusFailure) {
        switch failure {
        case .builtWithout, .libraryMissing, .unreachable: self = .absent
        case .connectionLost, .timedOut, .malformed: self = .failed
        // Both errors have one name. The texts of the portal are not translated.
        case .refused("org.freedesktop.portal.Error.NotAllowed", let text):
            self = text.contains("disabled") ? .lockdown : .notAllowed
        case .refused(let name, _):
            let isAbsent =
                Self.absences.contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            self = isAbsent ? .absent : .failed
        }
    }

    /// The errors without the portal's service, and of a portal without a backend for its dialog.
    private static let absences: Set<String> = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.UnknownInterface", "org.freedesktop.DBus.Error.UnknownMethod",
        "org.freedesktop.DBus.Error.UnknownObject",
    ]
}
