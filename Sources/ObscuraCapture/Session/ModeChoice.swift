// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The mode that a preset selects from the modes of a device, with the reason.
///
/// The preset first selects the size. Among the modes with that size, these criteria decide, in this order:
///
/// 1. color before grayscale;
/// 2. a rate of at least 29 frames per second, such as 29.97; if no mode has such a rate, the highest rate;
/// 3. uncompressed before MJPEG, and MJPEG before H.264, since decoding adds latency and possibly loss;
/// 4. the rate nearest to 30 frames per second;
/// 5. the order of the modes in the list of the device.
public struct ModeChoice: Sendable, Hashable {
    /// The selected mode.
    public let format: VideoFormat
    /// The reason for the choice, as a sentence.
    public let reason: String

    /// Selects one of `formats`; nil if none of `formats` is suitable.
    public init?(_ preset: SessionPreset, from formats: [VideoFormat]) {
        guard let (size, why) = Self.size(preset, formats) else { return nil }
        if preset == .inputPriority {
            format = formats[0]
            reason = "It is the device's own choice."
            return
        }
        let candidates = formats.filter { $0.size == size }
        guard
            let best = candidates.enumerated().min(by: { lhs, rhs in
                Self.cost(lhs.element, lhs.offset).lexicographicallyPrecedes(Self.cost(rhs.element, rhs.offset))
            })?.element
        else { return nil }
        format = best
        reason = "\(size) \(why); " + Self.reason(for: best, among: candidates)
    }

    /// The usual frame rate of cameras.
    private static let usualRate = 30.0
    /// The lowest rate that counts as the usual one, such as 29.97.
    private static let quickRate = usualRate - 1

    private static func rate(_ format: VideoFormat) -> Double { format.frameRate?.framesPerSecond ?? usualRate }

    private static func area(_ size: PixelSize) -> Int { size.width * size.height }

    private static func cost(_ format: VideoFormat, _ offset: Int) -> [Double] {
        let rate = rate(format)
        let compression: Double =
            switch format.pixelFormat {
            case .h264, .hevc: 2
            case .mjpeg: 1
            default: 0
            }
        let loss: Double = format.pixelFormat == .gray8 ? 1 : 0
        return [loss, max(0, quickRate - rate), compression, abs(rate - usualRate), Double(offset)]
    }

    private static func size(
        _ preset: SessionPreset, _ formats: [VideoFormat]
    ) -> (PixelSize, String)? {
        // Of equally good sizes, the first is taken.
        let nearest = { (formats: [VideoFormat], cost: (PixelSize) -> Int) in
            formats.map(\.size).enumerated().min { (cost($0.element), $0.offset) < (cost($1.element), $1.offset) }?
                .element
        }
        switch preset {
        case .inputPriority: return formats.first.map { ($0.size, "comes first") }
        case .low:
            let usable = formats.filter { area($0.size) >= 192 * 144 }
            return nearest(usable.isEmpty ? formats : usable) { area($0) }.map {
                ($0, "is the smallest usable size")
            }
        case .medium: return nearest(formats) { abs(area($0) - 480 * 360) }.map { ($0, "is the nearest to 480x360") }
        case .photo: return nearest(formats) { -area($0) }.map { ($0, "is the largest size") }
        case .high:
            let quick = formats.filter { rate($0) >= quickRate }
            if !quick.isEmpty {
                return nearest(quick) { -area($0) }.map { ($0, "is the largest size at 30 or more frames per second") }
            }
            let best = formats.map(rate).max() ?? 0
            return nearest(formats.filter { rate($0) == best }) { -area($0) }.map { ($0, "has the highest frame rate") }
        case .vga640x480, .hd1280x720, .hd1920x1080, .hd4K3840x2160:
            return formats.first { $0.size == preset.size }.map { ($0.size, "is the size of the preset") }
        }
    }

    private static func reason(for best: VideoFormat, among candidates: [VideoFormat]) -> String {
        let name = best.pixelFormat.rawValue
        let speed = best.frameRate.map { " at \($0)" } ?? ""
        let others = candidates.filter { $0.pixelFormat != best.pixelFormat }
        guard !others.isEmpty else { return "\(name)\(speed) is the only pixel format of this size." }
        if !best.pixelFormat.isCompressed {
            return rate(best) >= quickRate
                ? "\(name)\(speed) is uncompressed and fast enough."
                : "\(name)\(speed) is uncompressed, and no other format is faster."
        }
        guard let plain = others.filter({ !$0.pixelFormat.isCompressed }).max(by: { rate($0) < rate($1) }) else {
            return "\(name)\(speed) costs the least to decode."
        }
        return "\(name)\(speed), since uncompressed \(plain.pixelFormat.rawValue) reaches only "
            + "\(plain.frameRate.map(\.description) ?? "a few") frames per second."
    }
}

extension SessionPreset {
    /// Returns the best of `formats`; nil if none of `formats` is suitable. See ``ModeChoice``.
    public func choose(from formats: [VideoFormat]) -> VideoFormat? {
        ModeChoice(self, from: formats)?.format
    }
}
