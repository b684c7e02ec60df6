// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureSession {
    /// What quality the cameras of a session should run at.
    public enum Preset: String, Sendable, Hashable, CaseIterable, Codable {
        /// The mode with the fewest pixels that are still at least 192x144, for a thin link.
        case low
        /// The mode nearest to 480x360.
        case medium
        /// The mode with the most pixels at 30 frames a second or more, else the quickest.
        case high
        /// The mode with the most pixels, at any rate.
        case photo
        case vga640x480
        case hd1280x720
        case hd1920x1080
        case hd4K3840x2160
        /// The format that was chosen for each input, else the device's own choice.
        case inputPriority

        /// The size that the preset names; nil where it asks for a quality.
        public var size: PixelSize? {
            switch self {
            case .vga640x480: PixelSize(width: 640, height: 480)
            case .hd1280x720: PixelSize(width: 1280, height: 720)
            case .hd1920x1080: PixelSize(width: 1920, height: 1080)
            case .hd4K3840x2160: PixelSize(width: 3840, height: 2160)
            case .low, .medium, .high, .photo, .inputPriority: nil
            }
        }

        /// The best of `formats`; nil when none will do.
        ///
        /// Of modes that are equally good the one nearest to 30 frames a second is taken, then the one that
        /// comes first.
        public func choose(from formats: [VideoFormat]) -> VideoFormat? {
            let area = { (format: VideoFormat) in format.width * format.height }
            let rate = { (format: VideoFormat) in format.frameRate?.framesPerSecond ?? 30 }
            let best = { (candidates: [VideoFormat], cost: (VideoFormat) -> Double) in
                candidates.enumerated().min { lhs, rhs in
                    let (left, right) = (cost(lhs.element), cost(rhs.element))
                    if left != right { return left < right }
                    let (slow, quick) = (abs(rate(lhs.element) - 30), abs(rate(rhs.element) - 30))
                    return slow != quick ? slow < quick : lhs.offset < rhs.offset
                }?.element
            }
            switch self {
            case .inputPriority: return formats.first
            case .low:
                let usable = formats.filter { area($0) >= 192 * 144 }
                return best(usable.isEmpty ? formats : usable) { Double(area($0)) }
            case .medium: return best(formats) { abs(Double(area($0) - 480 * 360)) }
            case .photo: return best(formats) { -Double(area($0)) }
            case .high:
                let quick = formats.filter { rate($0) >= 29 }
                if quick.isEmpty { return best(formats) { -rate($0) } }
                return best(quick) { -Double(area($0)) }
            case .vga640x480, .hd1280x720, .hd1920x1080, .hd4K3840x2160:
                return best(formats.filter { $0.size == size }) { -min(rate($0), 30) }
            }
        }
    }
}
