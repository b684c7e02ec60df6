// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture

extension CaptureError {
    /// What the kernel's error number means for the node `path`, in words that say what to do.
    ///
    /// - Parameters:
    ///   - what: what was tried, as the end of a sentence that begins with the node.
    ///   - files: where the node's rights and its users are looked up.
    static func system(
        _ status: Int32, _ path: String, _ what: String, files: FileTree = FileTree()
    ) -> CaptureError {
        switch status {
        case EACCES, EPERM:
            return CaptureError(
                .notAuthorized, subject: path, reason: "this process may not use it",
                advice: NodeAccess(path: path, in: files, openStatus: status).advice, errno: status)
        case ENOENT:
            return CaptureError(
                .noSuchDevice, subject: path, reason: "there is no such device",
                advice: "See what there is with: obscura devices.", errno: status)
        case ENODEV, ENXIO:
            return CaptureError(
                .deviceDisconnected, subject: path, reason: "it is not there any more",
                advice: "Plug it in again.", errno: status)
        case EBUSY:
            let users = DeviceUsers(of: path, in: files)
            return CaptureError(
                .deviceInUse, subject: path, reason: users.reason,
                advice: "End the other program, or wait for it with startsWhenAvailable.", errno: status,
                holders: users.others)
        default:
            let words = String(cString: strerror(status)).lowercased()
            return CaptureError(.deviceFailed, subject: path, reason: "\(what): \(words)", errno: status)
        }
    }
}
