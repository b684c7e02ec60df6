// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureSession {
    /// The quality of a session.
    public struct Preset: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// Creates a preset from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The smallest mode of at least 192x144.
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        /// The mode nearest to 480x360.
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        /// The largest mode at 30 frames per second.
        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        /// The largest mode, at any frame rate.
        public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
        /// 640x480.
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
        /// 1280x720.
        public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
        /// 1920x1080.
        public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
        /// 3840x2160.
        public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
        /// The active format of the device. The session does not change it.
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")

        private static let presets: [Preset: CaptureSession.Preset] = [
            .low: .low, .medium: .medium, .high: .high, .photo: .photo, .vga640x480: .vga640x480,
            .hd1280x720: .hd1280x720, .hd1920x1080: .hd1920x1080, .hd4K3840x2160: .hd4K3840x2160,
            .inputPriority: .inputPriority,
        ]

        /// The preset of the engine; nil for a name that is unknown here.
        var preset: CaptureSession.Preset? { Self.presets[self] }

        /// The name of a preset of the engine.
        static func of(_ preset: CaptureSession.Preset) -> Preset? {
            presets.first { $0.value == preset }?.key
        }
    }
}

extension AVCaptureDevice {
    /// Whether the device supports a preset: the preset is known here, and the camera has its size.
    public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
        guard let size = preset.preset?.size else { return preset.preset != nil }
        // A microphone and a camera that does not list its modes exclude no size.
        guard hasMediaType(.video), !device.formats.isEmpty else { return true }
        return device.formats.contains { $0.size == size }
    }
}
