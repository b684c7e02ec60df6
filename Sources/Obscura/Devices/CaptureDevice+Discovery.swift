// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraDevices
internal import ObscuraMedia
internal import ObscuraMovies

/// The kinds of cameras that this build can list.
enum CameraKinds {
    /// Cameras of the machine, best first.
    static let machine: [any CaptureDeviceProvider] = [V4L2DeviceProvider.machine(decoders: FFmpegDecoders())]
    /// Cameras that are always there; never taken by default.
    static let builtIn: [any CaptureDeviceProvider] = [PatternDeviceProvider()]
}

/// The kinds of microphones that this build can list.
enum MicrophoneKinds {
    /// Microphones of the machine, best first.
    static let machine: [any CaptureDeviceProvider] = [ALSADeviceProvider.machine(converters: FFmpegConverters())]
    /// Microphones that are always there; never taken by default.
    static let builtIn: [any CaptureDeviceProvider] = [ToneDeviceProvider(converters: FFmpegConverters())]
}

extension MediaType {
    /// Who lists the devices of the machine that give it.
    var providers: [any CaptureDeviceProvider] { self == .video ? CameraKinds.machine : MicrophoneKinds.machine }
    /// Who lists the built-in ones.
    var builtIn: [any CaptureDeviceProvider] { self == .video ? CameraKinds.builtIn : MicrophoneKinds.builtIn }
}

extension CaptureDevice {
    /// Lists the cameras or the microphones of this machine.
    public struct DiscoverySession: Sendable {
        private let deviceTypes: [DeviceType]
        private let position: Position
        private let providers: [any CaptureDeviceProvider]
        private let mediaType: MediaType

        /// - Parameters:
        ///   - deviceTypes: only devices of these kinds.
        ///   - mediaType: what they give.
        ///   - position: only cameras that look there; `unspecified` takes all. Microphones look nowhere.
        public init(
            deviceTypes: [DeviceType] = DeviceType.allCases, mediaType: MediaType = .video,
            position: Position = .unspecified
        ) {
            self.init(
                deviceTypes: deviceTypes, mediaType: mediaType, position: position, providers: mediaType.providers)
        }

        init(
            deviceTypes: [DeviceType] = DeviceType.allCases, mediaType: MediaType = .video,
            position: Position = .unspecified, providers: [any CaptureDeviceProvider]
        ) {
            self.deviceTypes = deviceTypes
            self.position = position
            self.mediaType = mediaType
            self.providers = providers
        }

        /// The devices at this moment, the default one first: those that this process may use come before
        /// those that it may not, and devices before programs that pose as one.
        public var devices: [CaptureDevice] {
            providers.flatMap(\.devices).filter { device in
                deviceTypes.contains(device.deviceType) && (position == .unspecified || device.position == position)
            }
        }

        /// The built-in ones. They need no permission and are never the default.
        public var builtIn: [CaptureDevice] { mediaType.builtIn.flatMap(\.devices) }
    }

    /// The first camera of the machine that looks there, or its first microphone; nil if there is none.
    public static func `default`(
        for mediaType: MediaType, position: Position = .unspecified
    ) -> CaptureDevice? {
        DiscoverySession(mediaType: mediaType, position: position).devices.first
    }

    /// The cameras and microphones of the machine that come and go from now on. Ask for this first and list them then,
    /// so that none is missed between; one may be told that is in the list already.
    ///
    /// Each call gives a stream of its own, for one loop. Of a loop that is far behind, the oldest events are
    /// dropped.
    public static var events: AsyncStream<DeviceEvent> { events(of: CameraKinds.machine + MicrophoneKinds.machine) }

    static func events(of providers: [any CaptureDeviceProvider]) -> AsyncStream<DeviceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self, bufferingPolicy: .bufferingNewest(64))
        let observations = providers.compactMap { $0.observe { continuation.yield($0) } }
        continuation.onTermination = { _ in withExtendedLifetime(observations) {} }
        return stream
    }

    /// Whether this process may use the machine's cameras or microphones: what the default one says. Without one
    /// nothing is forbidden.
    public static func authorizationStatus(for mediaType: MediaType) -> AuthorizationStatus {
        `default`(for: mediaType)?.authorizationStatus ?? .authorized
    }

    /// Asks the user, where there is somebody to ask. Returns whether they may be used.
    public static func requestAccess(for mediaType: MediaType) async -> Bool {
        await `default`(for: mediaType)?.driver.requestAccess() ?? true
    }
}
