// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraDevices
internal import ObscuraMedia
internal import ObscuraMovies

/// The providers of cameras in this build.
enum CameraKinds {
    /// Providers of the machine's cameras, in order of preference.
    static let machine: [any CaptureDeviceProvider] = [CameraDeviceProvider.machine(decoders: FFmpegDecoders())]
    /// Providers of test-pattern cameras, which are never the default.
    static let builtIn: [any CaptureDeviceProvider] = [PatternDeviceProvider()]
}

/// The providers of microphones in this build.
enum MicrophoneKinds {
    /// Providers of the machine's microphones, in order of preference.
    static let machine: [any CaptureDeviceProvider] = [MicrophoneDeviceProvider.machine(converters: FFmpegConverters())]
    /// Providers of test-tone microphones, which are never the default.
    static let builtIn: [any CaptureDeviceProvider] = [ToneDeviceProvider(converters: FFmpegConverters())]
}

extension MediaType {
    /// The providers of the machine's devices for this media type.
    var providers: [any CaptureDeviceProvider] { self == .video ? CameraKinds.machine : MicrophoneKinds.machine }
    /// The providers of built-in devices for this media type.
    var builtIn: [any CaptureDeviceProvider] { self == .video ? CameraKinds.builtIn : MicrophoneKinds.builtIn }
}

extension CaptureDevice {
    /// A search for the cameras or the microphones of this machine.
    public struct DiscoverySession: Sendable {
        private let deviceTypes: [DeviceType]
        private let position: Position
        private let providers: [any CaptureDeviceProvider]
        private let mediaType: MediaType

        /// Creates a discovery session.
        ///
        /// - Parameters:
        ///   - deviceTypes: The device types to list.
        ///   - mediaType: The media type that the devices supply.
        ///   - position: The position of the cameras; `unspecified` lists the cameras at all positions. For
        ///     microphones, use `unspecified`: microphones have no position, and with any other value the list is
        ///     empty.
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

        /// The devices that are connected now. The first device is the default device.
        ///
        /// The system's default microphone is always first. Other devices are sorted: accessible hardware, accessible
        /// virtual devices, and then devices that this process has no permission to use. Microphones that are used
        /// through PipeWire are last.
        ///
        /// If the desktop portal controls access to cameras and permission is not granted yet, its cameras are not
        /// visible. Instead, the list contains a placeholder device, which requests the permission. After permission is
        /// granted, the placeholder acts as the first camera of the list.
        public var devices: [CaptureDevice] {
            let found = visible
            guard mediaType == .video, deviceTypes.contains(.camera),
                let hidden = PortalCamera.device(
                    position == .unspecified ? "" : position.rawValue, at: position, find: { visible.first })
            else { return found }
            // Before the devices that this process may not use.
            let allowed = found.prefix { $0.authorizationStatus == .authorized }
            return allowed + [hidden] + found.dropFirst(allowed.count)
        }

        private var visible: [CaptureDevice] {
            providers.flatMap(\.devices).filter { device in
                deviceTypes.contains(device.deviceType) && (position == .unspecified || device.position == position)
            }
        }

        /// The built-in devices, such as the test pattern. They need no permission, and are never the default device.
        public var builtIn: [CaptureDevice] { mediaType.builtIn.flatMap(\.devices) }
    }

    /// Returns the default camera or microphone of this machine; nil if this machine has no such device.
    ///
    /// - Parameters:
    ///   - mediaType: `video` for a camera, `audio` for a microphone.
    ///   - position: The position of the camera; `unspecified` for any position. Must be `unspecified` for a
    ///     microphone.
    public static func `default`(
        for mediaType: MediaType, position: Position = .unspecified
    ) -> CaptureDevice? {
        DiscoverySession(mediaType: mediaType, position: position).devices.first
    }

    /// A new stream that reports each camera and microphone of this machine that is connected or disconnected from now
    /// on. Get the stream before you list the devices, so that no event is missed; the stream may then report a device
    /// that is already in the list.
    ///
    /// Use each stream in a single loop. If more than 64 events wait for the loop, the oldest ones are dropped.
    public static var events: AsyncStream<DeviceEvent> {
        events(of: CameraKinds.machine + MicrophoneKinds.machine) { PortalCamera.observe($0) }
    }

    /// - Parameter observeMore: begins another observation.
    static func events(
        of providers: [any CaptureDeviceProvider],
        _ observeMore: (@escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? = { _ in nil }
    ) -> AsyncStream<DeviceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self, bufferingPolicy: .bufferingNewest(64))
        let tell = { @Sendable (event: DeviceEvent) in _ = continuation.yield(event) }
        let observations = providers.compactMap { $0.observe(tell) } + [observeMore(tell)].compactMap(\.self)
        continuation.onTermination = { _ in withExtendedLifetime(observations) {} }
        return stream
    }
}
