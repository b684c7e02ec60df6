// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FrameExport.Settings {
    /// Returns the rate of the frames exported from a device with these modes; nil if it is not constant.
    func frameRate(of formats: [VideoFormat]) -> FrameRate? {
        let format = formats.count == 1 ? formats.first : preset.choose(from: formats)
        guard let rate = format?.frameRate else { return nil }
        var frame = rate.frameDuration * Int64(frameStride)
        if let interval, interval > frame { frame = interval }
        guard let seconds = Int32(exactly: frame.value) else { return nil }
        let divisor = max(1, Self.greatestCommonDivisor(frame.timescale, seconds))
        return FrameRate(frame.timescale / divisor, per: seconds / divisor)
    }

    private static func greatestCommonDivisor(_ a: Int32, _ b: Int32) -> Int32 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
