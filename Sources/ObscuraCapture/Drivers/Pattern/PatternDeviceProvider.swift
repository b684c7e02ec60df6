// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of the test-pattern camera. Examples of device names are `pattern`, `pattern:640x480` and
/// `pattern:640x480@29.97` (29.97 frames per second).
public struct PatternDeviceProvider: CaptureDeviceProvider {
    private let isLive: Bool

    /// Creates a provider.
    ///
    /// - Parameter isLive: whether frames are delivered at the frame rate. If false, frames are delivered as fast as
    ///   readers take them.
    public init(isLive: Bool = true) {
        self.isLive = isLive
    }

    /// The test-pattern camera with its default modes, 320x240 to 1280x720.
    public var devices: [CaptureDevice] { [CaptureDevice(driver: PatternDriver(isLive: isLive))] }

    /// Returns the test-pattern camera; nil for the name of another device.
    ///
    /// The name `pattern` selects the default modes. A name such as `pattern:640x480@30` selects a single mode.
    ///
    /// - Throws: ``ObscuraError/Code/noSuchDevice`` if the mode in the name is invalid.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        guard source == "pattern" || source.hasPrefix("pattern:") else { return nil }
        guard source != "pattern" else { return devices.first }
        let parts = source.dropFirst("pattern:".count).split(separator: "@", omittingEmptySubsequences: false)
        let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), sides.count == 2, let width = sides[0], let height = sides[1],
            (2...16384).contains(width), (2...16384).contains(height),
            let rate = parts.count == 2 ? Self.rate(parts[1]) : FrameRate(30)
        else { throw .malformed(source) }
        let size = PixelSize(width: width, height: height)
        return CaptureDevice(driver: PatternDriver(size: size, frameRate: rate, isLive: isLive))
    }

    /// Parses a rate such as `60`, `29.97` or `30000/1001`.
    private static func rate(_ text: Substring) -> FrameRate? {
        let fraction = text.split(separator: "/", omittingEmptySubsequences: false)
        if fraction.count == 2 {
            guard let frames = Int32(fraction[0]), let seconds = Int32(fraction[1]), frames > 0, seconds > 0,
                Double(frames) / Double(seconds) <= 1000
            else { return nil }
            return FrameRate(frames, per: seconds)
        }
        guard let rate = Double(text), rate >= 0.01, rate <= 1000 else { return nil }
        if rate == rate.rounded() { return FrameRate(Int32(rate)) }
        return FrameRate(Int32((rate * 1000).rounded()), per: 1000)
    }
}

extension ObscuraError {
    fileprivate static func malformed(_ source: String) -> ObscuraError {
        ObscuraError(
            .capture, .noSuchDevice, subject: source,
            reason: "it is not a valid size and frame rate of the test-pattern camera",
            advice: "Write it as pattern:1280x720@30 (sides of 2 to 16384 pixels, up to 1000 frames per second).")
    }
}
