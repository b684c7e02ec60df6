// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture

extension CaptureError {
    /// What the kernel's error number means for the node `path`, in words that say what to do.
    ///
    /// - Parameters:
    ///   - what: what was tried, as the end of a sentence that begins with the node.
    ///   - namesHolders: whether who has a busy node is looked up. That takes a look at every process, so who tries
    ///     again and again does without.
    ///   - files: where the node's rights and its users are looked up.
    static func system(
        _ status: Int32, _ path: String, _ what: String, namesHolders: Bool = true, files: FileTree = FileTree()
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
            let users = namesHolders ? DeviceUsers(of: path, in: files) : nil
            return CaptureError(
                .deviceInUse, subject: path, reason: users?.reason ?? "in use",
                advice: users?.advice ?? DeviceUsers.generalAdvice, errno: status, holders: users?.others ?? [])
        default:
            let words = String(cString: strerror(status)).lowercased()
            return CaptureError(
                .deviceFailed, subject: path, reason: "\(what): \(words)", advice: advice(status), errno: status)
        }
    }

    /// What to do about an error that says little by itself; nil where nothing is known.
    private static func advice(_ status: Int32) -> String? {
        switch status {
        case ENOSPC:
            // On USB this is how the kernel says that the bus has no bandwidth left.
            "Its bus has no room left for such pictures: end the other camera on that bus, put one of them on "
                + "another port, or take a smaller mode, a slower one or MJPEG."
        case EPIPE, ENOLINK:
            "If it is a part of a media pipeline, that is not set up: its links and formats must fit first "
                + "(media-ctl, or libcamera). Else plug it in again."
        case EPROTO, ETIMEDOUT, EIO:
            "Look at the cable, and at the hub if there is one between: plug it into the machine itself, then again."
        case ENOMEM: "The system has no memory left for its pictures: take a smaller mode, or end other programs."
        case ECONNREFUSED, EHOSTDOWN:
            "Its sound server does not run: start it (systemctl --user start pipewire), or take a sound card itself."
        case EMFILE, ENFILE: "Too many files are open: close some, or raise the limit (ulimit -n)."
        default: nil
        }
    }
}
