// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// A camera or a microphone.
///
/// Each device has one object during the life of the process. Thread-safe.
public final class AVCaptureDevice: NSObject, Sendable {
    /// The position of a camera on the machine.
    public enum Position: Int, Sendable {
        case unspecified = 0
        case back = 1
        case front = 2

        var position: CaptureDevice.Position {
            switch self {
            case .unspecified: .unspecified
            case .back: .back
            case .front: .front
            }
        }
    }

    /// The type of a device. The lens of a camera is unknown on Linux: built-in cameras are reported as wide-angle
    /// cameras, and all others as external.
    public struct DeviceType: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A built-in camera.
        public static let builtInWideAngleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
        /// A camera that can be unplugged, a loopback device, or a test pattern.
        public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
        /// A camera that can be unplugged; the older name.
        public static let externalUnknown = external
        // Kinds that no camera has here: searches for them find nothing, as on a phone without such a camera.

        /// A camera with a wider angle.
        public static let builtInUltraWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
        /// A camera with a narrower angle.
        public static let builtInTelephotoCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
        /// A wide-angle camera and one with a narrower angle, as one device.
        public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
        /// A wide-angle camera and one with a wider angle, as one device.
        public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
        /// Cameras with three angles, as one device.
        public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
        /// A front camera that measures distances.
        public static let builtInTrueDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
        /// A back camera that measures distances.
        public static let builtInLiDARDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
        /// The camera of a phone.
        public static let continuityCamera = DeviceType(rawValue: "AVCaptureDeviceTypeContinuityCamera")

        /// A microphone.
        public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
        /// A microphone; the older name.
        public static let builtInMicrophone = microphone
    }

    package let device: CaptureDevice
    let place = Lock(Place())
    let zoomRamp = RunningZoomRamp()

    private init(_ device: CaptureDevice) {
        self.device = device
    }

    private static let known = Lock<[String: AVCaptureDevice]>([:])

    /// Returns the object of a device.
    package static func of(_ device: CaptureDevice) -> AVCaptureDevice {
        known.withLock { known in
            // A device that was unplugged may have come back with another node.
            if let found = known[device.uniqueID], found.device === device || found.device.path == device.path {
                return found
            }
            let made = AVCaptureDevice(device)
            known[device.uniqueID] = made
            return made
        }
    }

    // MARK: Description

    /// The identifier. It does not change with a restart.
    public var uniqueID: String { device.uniqueID }
    /// The display name.
    public var localizedName: String { device.localizedName }
    /// The model; empty if unknown.
    public var modelID: String { device.modelID ?? "" }
    /// The manufacturer's display name; empty if unknown.
    public var manufacturer: String { device.manufacturer ?? "" }
    /// The position of a camera.
    public var position: Position {
        switch device.position {
        case .front: .front
        case .back: .back
        case .unspecified: .unspecified
        }
    }
    /// The type of the device.
    public var deviceType: DeviceType {
        guard device.mediaTypes.contains(.video) else { return .microphone }
        return device.deviceType == .camera ? .builtInWideAngleCamera : .external
    }

    /// Whether the device is suspended, such as the camera of a closed laptop. Always false: the kernel does not report
    /// it.
    public var isSuspended: Bool { false }
    /// Whether the device consists of several devices; always false.
    public var isVirtualDevice: Bool { false }
    /// The devices of a virtual device; always empty.
    public var constituentDevices: [AVCaptureDevice] { [] }
    /// The zoom factors at which a virtual device switches to its next camera; always empty.
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { [] }

    /// Whether the device delivers a media type.
    public func hasMediaType(_ type: AVMediaType) -> Bool { type.mediaType.map(device.mediaTypes.contains) ?? false }

    override public var description: String { "<AVCaptureDevice \(localizedName) (\(uniqueID))>" }
}
