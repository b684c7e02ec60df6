// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

extension ObscuraError {
    /// Returns the error of a connection to PipeWire that the portal did not open.
    ///
    /// - Parameter access: the permission of this process.
    static func noRemote(_ failure: DBusFailure, _ access: CameraAccess) -> ObscuraError {
        let remedy = access.remedy ?? CameraAccess.failed.remedy
        switch PortalRemote(failure) {
        case .notAllowed where access.status == .authorized || access == .refused:
            return ObscuraError(
                .capture, .connectionRefused, subject: "cameras",
                reason: "the desktop portal does not connect this program to PipeWire, although access was granted",
                remedy: CameraAccess.refused.remedy)
        case .opened, .notAllowed, .lockdown:
            return ObscuraError(
                .capture, .notAuthorized, subject: "cameras", reason: failure.reason,
                remedy: access.remedy ?? CameraAccess.denied.remedy)
        case .absent:
            return ObscuraError(
                .capture, .portalFailed, subject: "cameras", reason: "no desktop portal: \(failure.reason)",
                remedy: failure == .builtWithout ? nil : CameraAccess.absent.remedy)
        case .failed:
            return ObscuraError(
                .capture, .portalFailed, subject: "cameras",
                reason: "the desktop portal failed: \(failure.reason)", remedy: remedy)
        }
    }
}
