// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The way to a daemon.
struct PipeWireRemote: Sendable {
    /// Returns a connected descriptor that the caller owns, or -1 for the user's daemon.
    let open: @Sendable () throws(ObscuraError) -> Int32
    /// Whether a daemon may be there: without one, nothing of libpipewire is loaded.
    let isAvailable: @Sendable () -> Bool
    /// The folder of the daemon's socket, which appears when the daemon starts; nil if unknown.
    var folder: String?
    /// Whether the desktop portal opens the connection. It shows cameras only, and may show them some time after the
    /// connection, since the session manager gives it its rights when it notices it.
    var isPortal: @Sendable () -> Bool = { false }

    /// The way to cameras: through the desktop portal where ``CameraPortal/isUsed``, otherwise the daemon of the user.
    static let cameras = PipeWireRemote(
        open: { () throws(ObscuraError) -> Int32 in
            CameraPortal.isUsed ? try CameraPortal.shared.openRemote() : try user.open()
        },
        isAvailable: {
            CameraPortal.isUsed ? CameraPortal.shared.access.status == .authorized : user.isAvailable()
        }, folder: user.folder, isPortal: { CameraPortal.isUsed })

    /// The daemon of the user.
    static let user = PipeWireRemote(
        open: { () throws(ObscuraError) -> Int32 in -1 },
        isAvailable: {
            let name = variable("PIPEWIRE_REMOTE") ?? "pipewire-0"
            guard let path = name.hasPrefix("/") ? name : userFolder.map({ "\($0)/\(name)" }) else { return false }
            return access(path, F_OK) == 0
        }, folder: userFolder)
}

private var userFolder: String? { variable("PIPEWIRE_RUNTIME_DIR") ?? variable("XDG_RUNTIME_DIR") }

private func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
