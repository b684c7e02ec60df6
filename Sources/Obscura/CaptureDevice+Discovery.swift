// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

/// The kinds of cameras that this build can list.
enum CameraKinds {
    /// Cameras of the machine, best first. The drivers for real cameras are listed here.
    static let machine: [any CaptureDeviceProvider] = []
    /// Cameras that are always there; never taken by default.
    static let builtIn: [any CaptureDeviceProvider] = [PatternDeviceProvider()]
}

extension CaptureDevice {
    /// Lists the cameras of this machine.
    public struct DiscoverySession: Sendable {
        private let position: Position

        /// - Parameter position: only cameras that look there; `unspecified` takes all.
        public init(position: Position = .unspecified) {
            self.position = position
        }

        /// The cameras at this moment, the default one first.
        public var devices: [CaptureDevice] {
            CameraKinds.machine.flatMap(\.devices).filter { position == .unspecified || $0.position == position }
        }

        /// The built-in cameras. They need no permission and are never the default.
        public var builtIn: [CaptureDevice] { CameraKinds.builtIn.flatMap(\.devices) }
    }

    /// The first camera of the machine that looks there; nil if there is none.
    public static func `default`(
        for mediaType: MediaType, position: Position = .unspecified
    ) -> CaptureDevice? {
        DiscoverySession(position: position).devices.first
    }

    /// Whether this process may use the machine's cameras: what the default one says. Without a camera
    /// nothing is forbidden.
    public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
        `default`(for: mediaType)?.authorizationStatus ?? .authorized
    }

    /// Asks the user, where there is somebody to ask. Returns whether the machine's cameras may be used.
    public static func requestAccess(for mediaType: MediaType) async -> Bool {
        await `default`(for: mediaType)?.driver.requestAccess() ?? true
    }
}
