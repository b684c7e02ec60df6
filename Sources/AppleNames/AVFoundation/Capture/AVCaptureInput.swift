// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

/// A source of media in a session.
public class AVCaptureInput: NSObject, @unchecked Sendable {  // Its subclasses have constants only.
    fileprivate override init() {}

    /// The streams of the input: one for each media type.
    public var ports: [Port] { [] }

    /// A stream of an input.
    public final class Port: NSObject, @unchecked Sendable {  // Its properties are constants.
        /// The input.
        public let input: AVCaptureInput
        /// The media type of the stream.
        public let mediaType: AVMediaType

        fileprivate init(_ input: AVCaptureInput, _ mediaType: AVMediaType) {
            self.input = input
            self.mediaType = mediaType
        }

        /// The type of the device.
        public var sourceDeviceType: AVCaptureDevice.DeviceType? { device?.deviceType }
        /// The position of the device.
        public var sourceDevicePosition: AVCaptureDevice.Position { device?.position ?? .unspecified }
        /// The format of the stream; nil for sound.
        public var formatDescription: CMFormatDescription? {
            mediaType == .video ? device?.activeFormat.formatDescription : nil
        }

        private var device: AVCaptureDevice? { (input as? AVCaptureDeviceInput)?.device }

        override public func isEqual(_ object: Any?) -> Bool {
            (object as? Port).map { $0.input === input && $0.mediaType == mediaType } ?? false
        }

        override public var hash: Int { ObjectIdentifier(input).hashValue ^ mediaType.hashValue }
    }
}

/// A camera or a microphone in a session.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {  // Its properties are constants.
    /// The device.
    public let device: AVCaptureDevice
    package let input: CaptureDeviceInput

    /// Creates an input.
    ///
    /// - Throws: an ``AVError`` if this process is not allowed to use the device.
    public init(device: AVCaptureDevice) throws {
        self.device = device
        do throws(ObscuraError) {
            input = try CaptureDeviceInput(device: device.device)
        } catch {
            throw AVError(error)
        }
        super.init()
    }

    override public var ports: [Port] {
        [AVMediaType.video, .audio].filter(device.hasMediaType).map { Port(self, $0) }
    }

    /// Returns the streams of a media type, if the device has this type and this position. Pass nil or `unspecified`
    /// for any.
    public func ports(
        for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?,
        sourceDevicePosition: AVCaptureDevice.Position
    ) -> [Port] {
        ports.filter { port in
            (mediaType ?? port.mediaType) == port.mediaType
                && (sourceDeviceType ?? device.deviceType) == device.deviceType
                && (sourceDevicePosition == .unspecified || sourceDevicePosition == device.position)
        }
    }
}
