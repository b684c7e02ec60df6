// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

extension ObscuraError {
    /// Returns the error for an errno of the kernel and the node `path`, with a remedy.
    ///
    /// - Parameters:
    ///   - what: the failure, as the end of a sentence that begins with the node.
    ///   - namesHolders: whether to determine the processes that hold a busy node. Requires a scan of all processes, so
    ///     not for repeated attempts.
    ///   - files: the files for the node's permissions and users.
    static func system(
        _ status: Int32, _ path: String, _ what: String, namesHolders: Bool = true, files: FileTree = FileTree()
    ) -> ObscuraError {
        switch status {
        case EACCES, EPERM:
            return ObscuraError(
                .capture, .notAuthorized, subject: path, reason: "this process has no permission to use it",
                remedy: NodeAccess(path: path, in: files, openStatus: status).remedy, errno: status)
        case ENOENT:
            return ObscuraError(
                .capture, .noSuchDevice, subject: path, reason: "there is no such device",
                remedy: .listDevices, errno: status)
        case ENODEV, ENXIO:
            return ObscuraError(
                .capture, .deviceDisconnected, subject: path, reason: "it was disconnected",
                advice: "Plug it in again.", errno: status)
        case EBUSY:
            let users = namesHolders ? DeviceUsers(of: path, in: files) : nil
            return ObscuraError(
                .capture, .deviceInUse, subject: path, reason: users?.reason ?? "in use",
                remedy: users?.remedy ?? .waitForDevice, errno: status, holders: users?.others ?? [])
        default:
            let words = SystemError(status).reason
            return ObscuraError(
                .capture, .deviceFailed, subject: path, reason: "\(what): \(words)", remedy: remedy(status),
                errno: status)
        }
    }

    /// Returns the error of a camera without the requested format.
    static func notOffered(_ format: VideoFormat, by camera: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: camera,
            reason: "it does not offer \(format.size) in the format \(format.pixelFormat.rawValue)"
                + (format.frameRate.map { " at \($0) frames per second" } ?? ""),
            remedy: .listFormats)
    }

    /// Returns the remedy for an errno with an unspecific message; nil if there is none.
    private static func remedy(_ status: Int32) -> Remedy? {
        switch status {
        case ENOSPC:
            // The kernel's error for a USB bus without bandwidth left.
            .advice(
                "The USB bus has no bandwidth left: stop the other camera on this bus, connect one of the cameras "
                    + "to another port, or choose a smaller size, a lower frame rate or MJPEG.")
        case EPIPE, ENOLINK:
            .advice(
                "If the camera is part of a media pipeline, configure the links and formats of the pipeline first, or "
                    + "use libcamera. Otherwise connect the camera again.")
        case EPROTO, ETIMEDOUT, EIO:
            .advice("Check the cable. If there is a hub, connect the camera to the machine directly.")
        case ENOMEM: .advice("Choose a smaller size, or end other programs.")
        case ECONNREFUSED, EHOSTDOWN:
            .startSoundServer
        default: Remedy(SystemError(status))
        }
    }
}
