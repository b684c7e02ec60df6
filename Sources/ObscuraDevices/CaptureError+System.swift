// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture

extension CaptureError {
    /// What the kernel's error number means for the node `path`, in words that say what to do.
    ///
    /// - Parameter what: what was tried, as the end of a sentence that begins with the node.
    static func system(_ status: Int32, _ path: String, _ what: String) -> CaptureError {
        switch status {
        case EACCES, EPERM:
            return CaptureError(
                .notAuthorized, subject: path, reason: "this process may not use it",
                advice: "Add yourself to the group video: sudo usermod -aG video $USER, then log in again.",
                errno: status)
        case ENOENT:
            return CaptureError(
                .noSuchDevice, subject: path, reason: "there is no such device",
                advice: "See what there is with: obscura devices.", errno: status)
        case ENODEV, ENXIO:
            return CaptureError(
                .deviceDisconnected, subject: path, reason: "it is not there any more",
                advice: "Plug it in again.", errno: status)
        case EBUSY:
            return CaptureError(
                .deviceInUse, subject: path, reason: "another process uses it",
                advice: "End the other program, or wait for it with startsWhenAvailable.", errno: status)
        default:
            let words = String(cString: strerror(status)).lowercased()
            return CaptureError(.deviceFailed, subject: path, reason: "\(what): \(words)", errno: status)
        }
    }
}
