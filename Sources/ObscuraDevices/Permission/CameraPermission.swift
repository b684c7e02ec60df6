// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The settings for requesting permission to use cameras.
public struct CameraPermission: Sendable, Hashable {
    /// The cases in which permission is requested from the desktop portal, which shows a dialog to the user.
    public enum PortalUse: String, Sendable, Hashable, CaseIterable {
        /// Permission is requested only in a sandbox (Flatpak, Snap). Outside a sandbox, the file permissions of the
        /// device nodes and of PipeWire's socket apply, and no dialog is shown.
        case automatic
        /// Permission is requested in a sandbox and outside a sandbox.
        case always
        /// Permission is never requested.
        case never

        /// Whether a process in this kind of sandbox uses the portal.
        func applies(in sandbox: CameraSandbox) -> Bool {
            switch self {
            case .automatic: sandbox.isSandboxed
            case .always: true
            case .never: false
            }
        }
    }

    /// The cases in which permission is requested from the desktop portal (default: automatic).
    public var portalUse = PortalUse.automatic
    /// The id of the program's desktop file, such as `org.example.Camera` for `org.example.Camera.desktop`. Outside a
    /// sandbox, the program is registered with the portal under this id, if the portal supports registration (version
    /// 1.20 or later). If nil, the program is not registered. Set this property before the first use of a camera.
    public var applicationID: String?
    /// A sentence that tells the user why the program needs cameras, as `NSCameraUsageDescription` does. The Studio and
    /// the media picker show this sentence while they request permission. The dialog of the portal cannot show a text
    /// of the program.
    public var usageDescription: String?

    /// Creates the default settings.
    public init() {}

    /// The settings of this process.
    public static var settings: CameraPermission {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = Lock(CameraPermission())
}
