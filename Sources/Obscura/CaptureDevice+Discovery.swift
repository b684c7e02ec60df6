// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraDevices
internal import ObscuraMedia
internal import ObscuraMovies

/// The kinds of cameras that this build can list.
enum CameraKinds {
    /// Cameras of the machine, best first.
    static let machine: [any CaptureDeviceProvider] = [V4L2DeviceProvider.machine(decoders: LiveDecoders())]
    /// Cameras that are always there; never taken by default.
    static let builtIn: [any CaptureDeviceProvider] = [PatternDeviceProvider()]
}

extension CaptureDevice {
    /// Lists the cameras of this machine.
    public struct DiscoverySession: Sendable {
        private let deviceTypes: [DeviceType]
        private let position: Position
        private let providers: [any CaptureDeviceProvider]

        /// - Parameters:
        ///   - deviceTypes: only cameras of these kinds.
        ///   - mediaType: what they give.
        ///   - position: only cameras that look there; `unspecified` takes all.
        public init(
            deviceTypes: [DeviceType] = DeviceType.allCases, mediaType: MediaType = .video,
            position: Position = .unspecified
        ) {
            self.init(deviceTypes: deviceTypes, position: position, providers: CameraKinds.machine)
        }

        init(
            deviceTypes: [DeviceType] = DeviceType.allCases, position: Position = .unspecified,
            providers: [any CaptureDeviceProvider]
        ) {
            self.deviceTypes = deviceTypes
            self.position = position
            self.providers = providers
        }

        /// The cameras at this moment, the default one first: those that this process may use come before
        /// those that it may not, and devices before programs that pose as one.
        public var devices: [CaptureDevice] {
            providers.flatMap(\.devices).filter { device in
                deviceTypes.contains(device.deviceType) && (position == .unspecified || device.position == position)
            }
        }

        /// The built-in cameras. They need no permission and are never the default.
        public var builtIn: [CaptureDevice] { CameraKinds.builtIn.flatMap(\.devices) }
    }

    /// The first camera of the machine that looks there; nil if there is none.
    public static func `default`(
        for mediaType: MediaType, position: Position = .unspecified
    ) -> CaptureDevice? {
        DiscoverySession(mediaType: mediaType, position: position).devices.first
    }

    /// The cameras of the machine that come and go from now on. Ask for this first and list the cameras then,
    /// so that none is missed between; one may be told that is in the list already.
    ///
    /// Each call gives a stream of its own, for one loop. Of a loop that is far behind, the oldest events are
    /// dropped.
    public static var events: AsyncStream<DeviceEvent> { events(of: CameraKinds.machine) }

    static func events(of providers: [any CaptureDeviceProvider]) -> AsyncStream<DeviceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self, bufferingPolicy: .bufferingNewest(64))
        let observations = providers.compactMap { $0.observe { continuation.yield($0) } }
        continuation.onTermination = { _ in withExtendedLifetime(observations) {} }
        return stream
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
