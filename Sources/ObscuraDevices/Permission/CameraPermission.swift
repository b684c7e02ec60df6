// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The settings of this process for requests of permission to use cameras.
public struct CameraPermission: Sendable, Hashable {
    /// The use of the desktop portal, whose dialog asks the user.
    public enum PortalUse: String, Sendable, Hashable, CaseIterable {
        /// In a sandbox (Flatpak, Snap) only. Elsewhere, the rights of the device nodes and of PipeWire's socket decide,
        /// and there is no dialog.
        case automatic
        /// Always, also outside a sandbox.
        case always
        /// Never.
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

    /// The use of the desktop portal (default: automatic).
    public var portalUse = PortalUse.automatic
    /// The id of the program's desktop file, such as `org.example.Camera` for `org.example.Camera.desktop`. A program
    /// outside a sandbox is registered with the portal under this name, if the portal supports this (version 1.20); nil
    /// does not register it. Set it before the first use of a camera.
    public var applicationID: String?
    /// A sentence that tells the user why the program needs cameras, as `NSCameraUsageDescription` does. The Studio and
    /// the media picker show it while they ask; the dialog of the portal takes no text.
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
