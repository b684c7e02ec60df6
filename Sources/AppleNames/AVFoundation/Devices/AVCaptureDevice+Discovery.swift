// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureDevice {
    /// A search for the cameras or the microphones of this machine. If the environment variables `OBSCURA_CAMERAS` and
    /// `OBSCURA_MICROPHONES` are set, only the devices that they list are found, such as
    /// `front=pattern:640x480@30;back=/dev/video2`.
    public final class DiscoverySession: NSObject, Sendable {
        private let deviceTypes: [DeviceType]
        private let mediaType: AVMediaType?
        private let position: Position

        /// Creates a search.
        ///
        /// - Parameters:
        ///   - deviceTypes: the types of devices.
        ///   - mediaType: the media type that the devices deliver; nil for any.
        ///   - position: the position of cameras; `unspecified` for any.
        public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
            self.deviceTypes = deviceTypes
            self.mediaType = mediaType
            self.position = position
        }

        /// The devices that are connected now, the default one first.
        public var devices: [AVCaptureDevice] {
            let types = mediaType.map { [$0] } ?? [.video, .audio]
            return types.compactMap(\.mediaType).flatMap { CameraSources.devices($0, at: position.position) }
                .map(AVCaptureDevice.of).filter { deviceTypes.contains($0.deviceType) }
        }
    }

    /// Returns the default device for a media type; nil if this machine has none.
    public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        mediaType.mediaType.flatMap { CameraSources.devices($0, at: .unspecified).first }.map(of)
    }

    /// Returns the default device of a type at a position; nil if this machine has none.
    public static func `default`(
        _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
    ) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// Returns the cameras and the microphones.
    public static func devices() -> [AVCaptureDevice] { devices(for: .video) + devices(for: .audio) }

    /// Returns the devices for a media type.
    public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        mediaType.mediaType.map { CameraSources.devices($0, at: .unspecified).map(of) } ?? []
    }
}
