// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureDevice {
    /// A size and a pixel format of a camera, with their frame rates. Formats with the same values are equal.
    public final class Format: NSObject, Sendable {
        /// The modes of the engine: one for each frame rate.
        let modes: [VideoFormat]
        let camera: AVCaptureDevice

        /// - Parameter modes: Modes of one size and pixel format; none for a device that does not list its modes.
        init(_ modes: [VideoFormat], of camera: AVCaptureDevice) {
            self.modes = modes
            self.camera = camera
        }

        /// Video.
        public var mediaType: AVMediaType { .video }

        /// The size and the pixel format. If the camera delivers compressed frames, the codec replaces the pixel
        /// format.
        public var formatDescription: CMFormatDescription {
            guard let mode = modes.first else {
                return CMFormatDescription(video: 0, size: PixelSize(width: 0, height: 0))
            }
            return CMFormatDescription(video: mode.pixelFormat.deviceType, size: mode.size)
        }

        /// The frame rates.
        public var videoSupportedFrameRateRanges: [AVFrameRateRange] {
            modes.compactMap(\.frameRate).map { AVFrameRateRange($0) }
        }

        /// The possible sizes of photos, smallest first: the size of the format and, if it is larger, the largest size
        /// of the camera.
        public var supportedMaxPhotoDimensions: [CMVideoDimensions] {
            let own = formatDescription.dimensions
            guard let largest = CaptureSession.Preset.photo.choose(from: camera.device.formats),
                largest.width * largest.height > own.area
            else { return [own] }
            return [own, CMVideoDimensions(width: Int32(largest.width), height: Int32(largest.height))]
        }

        /// Whether a session of several cameras can use the format; always true.
        public var isMultiCamSupported: Bool { AVCaptureMultiCamSession.isMultiCamSupported }
        /// The highest zoom factor of the lens.
        public var videoMaxZoomFactor: CGFloat { camera.maxAvailableVideoZoomFactor }
        /// The shortest exposure time, in seconds; invalid if the camera does not report it.
        public var minExposureDuration: CMTime { camera.exposureDurations.map { CMTime($0.lowerBound) } ?? .invalid }
        /// The longest exposure time, in seconds; invalid if the camera does not report it.
        public var maxExposureDuration: CMTime { camera.exposureDurations.map { CMTime($0.upperBound) } ?? .invalid }
        /// The lowest sensitivity; 0 if the camera does not report it.
        public var minISO: Float { camera.sensitivities.map { Float($0.lowerBound) } ?? 0 }
        /// The highest sensitivity; 0 if the camera does not report it.
        public var maxISO: Float { camera.sensitivities.map { Float($0.upperBound) } ?? 0 }

        /// The mode with the highest frame rate.
        var fastest: VideoFormat? {
            modes.max { ($0.frameRate?.framesPerSecond ?? 0) < ($1.frameRate?.framesPerSecond ?? 0) }
        }

        override public func isEqual(_ object: Any?) -> Bool { (object as? Format)?.modes == modes }

        override public var hash: Int { modes.hashValue }

        override public var description: String {
            let rates = modes.compactMap { $0.frameRate?.description }.joined(separator: ", ")
            return
                "<AVCaptureDevice.Format \(modes.first.map { "\($0.size) \($0.pixelFormat.rawValue)" } ?? "") \(rates)>"
        }
    }

    /// The formats of a camera, in the order in which its driver lists them; empty for a microphone.
    public var formats: [Format] {
        var groups: [[VideoFormat]] = []
        for mode in device.formats {
            let group = groups.firstIndex { $0[0].size == mode.size && $0[0].pixelFormat == mode.pixelFormat }
            if let group { groups[group].append(mode) } else { groups.append([mode]) }
        }
        return groups.map { Format($0, of: self) }
    }
}

extension PixelFormat {
    /// The four-character code of what a camera delivers.
    fileprivate var deviceType: FourCharCode {
        switch self {
        case .mjpeg: 0x6A70_6567  // jpeg
        case .h264: 0x6176_6331  // avc1
        case .hevc: 0x6876_6331  // hvc1
        default: pixelFormatType(isFullRange: false)
        }
    }
}
