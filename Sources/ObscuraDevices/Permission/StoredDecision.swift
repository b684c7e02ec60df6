// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The decision about cameras in the permission store of the portal.
enum StoredDecision: Sendable, Hashable {
    case missing
    case yes
    case no
    /// Ask each time. The portal then never connects to PipeWire (seen with 1.16 and 1.20).
    case ask

    /// Reads the result of ``DBusCall/lookUpCameraPermission``; nil if it cannot be read.
    ///
    /// All programs outside a sandbox have one decision, under an empty name, also those that are registered.
    init?(_ result: Result<[DBusValue], DBusFailure>) {
        switch result {
        case .success(let values):
            switch values.first?[""]?.items?.first?.text {
            case "yes": self = .yes
            case "no": self = .no
            case "ask": self = .ask
            default: self = .missing
            }
        case .failure(.refused("org.freedesktop.portal.Error.NotFound", _)): self = .missing
        case .failure: return nil
        }
    }
}
