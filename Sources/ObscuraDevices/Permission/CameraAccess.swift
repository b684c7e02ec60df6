// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The permission of this process to use cameras through the desktop portal.
package struct CameraAccess: Sendable, Hashable {
    package let status: AuthorizationStatus
    /// The reason for a missing permission; nil if it is granted.
    package let reason: AccessReason?
    /// The remedy for a missing permission; nil if it is granted, or if none is needed.
    package let remedy: Remedy?

    static let granted = CameraAccess(status: .authorized, reason: nil, remedy: nil)
    static let notAsked = CameraAccess(status: .notDetermined, reason: .notAsked, remedy: nil)
    static let denied = CameraAccess(status: .denied, reason: .deniedByUser, remedy: .allowCameras)
    static let lockdown = CameraAccess(
        status: .restricted, reason: .lockdown,
        remedy: .advice("Ask the administrator of this machine to allow cameras (desktop setting disable-camera)."))
    static let absent = CameraAccess(
        status: .restricted, reason: .noPortal,
        remedy: .advice(
            "Install libsystemd0, xdg-desktop-portal and the portal backend of the desktop, such as "
                + "xdg-desktop-portal-gtk."))
    static let failed = CameraAccess(
        status: .notDetermined, reason: .portalFailed,
        remedy: .advice(
            "See the messages of xdg-desktop-portal and its backend in the journal of the user."))
    static let refused = CameraAccess(status: .restricted, reason: .connectionRefused, remedy: .allowCameras)
}

// MARK: - Decisions

extension CameraAccess {
    /// The permission without a new question.
    ///
    /// - Parameters:
    ///   - remote: the outcome of a request to connect to PipeWire.
    ///   - stored: the stored decision; nil if it cannot be read, as in a sandbox.
    ///   - answer: the result of the last question of this process; nil before the first one. In a sandbox nothing else
    ///     distinguishes a denial from a question that was not asked.
    init(remote: PortalRemote, stored: StoredDecision?, answer: CameraAccess?) {
        switch (remote, stored) {
        case (.opened, _), (.failed, .yes): self = .granted
        case (.notAllowed, .no), (.failed, .no): self = .denied
        case (.notAllowed, .yes): self = .refused
        case (.notAllowed, .missing), (.notAllowed, .ask): self = .notAsked
        // Revoked since the answer: a connection that is refused right after it is `refused`.
        case (.notAllowed, nil) where answer == .granted: self = .denied
        case (.notAllowed, nil): self = answer ?? .notAsked
        case (.lockdown, _): self = .lockdown
        case (.absent, _): self = .absent
        case (.failed, _): self = .failed
        }
    }

    /// The permission after a question that the portal could not show.
    init(unasked failure: DBusFailure) {
        switch PortalRemote(failure) {
        // The portal refuses a question only if cameras are switched off.
        case .notAllowed, .lockdown: self = .lockdown
        case .absent: self = .absent
        case .opened, .failed: self = .failed
        }
    }

    /// The permission after a positive answer.
    ///
    /// - Parameter remote: the outcome of the following request to connect to PipeWire.
    init(grantedAnd remote: PortalRemote) {
        switch remote {
        case .notAllowed: self = .refused
        case .lockdown: self = .lockdown
        // A missing PipeWire does not change the answer.
        case .opened, .absent, .failed: self = .granted
        }
    }

    /// The permission after a negative answer, which is also that of a dialog that failed.
    ///
    /// - Parameter stored: the decision that is stored now; nil if it cannot be read, as in a sandbox.
    init(deniedAnd stored: StoredDecision?) {
        // The portal stores each denial, except if it asks each time.
        self = stored == .missing ? .failed : .denied
    }
}
