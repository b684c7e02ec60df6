// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A provider of cameras that play a trace (``SessionTrace``). Examples of device names are `replay:bug.trace`, and
/// `replay:bug.trace?camera=2` for the second camera of the trace.
public struct ReplayDeviceProvider: CaptureDeviceProvider {
    private let isLive: Bool
    private let decoders: (any FrameDecoderProvider)?
    private let converters: (any AudioConverterProvider)?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - isLive: whether frames are delivered at the times of the trace. If false, frames are delivered as fast as
    ///     readers take them, and every playback is identical.
    ///   - decoders: the provider of decoders for inter-coded frames; nil for traces without inter-coded frames.
    ///   - converters: the provider of converters for readers that request an audio format other than that of the
    ///     trace. With nil, these readers fail.
    public init(
        isLive: Bool = true, decoders: (any FrameDecoderProvider)? = nil,
        converters: (any AudioConverterProvider)? = nil
    ) {
        self.isLive = isLive
        self.decoders = decoders
        self.converters = converters
    }

    /// Always empty. The camera of a trace is available only by its name; see ``device(named:)``.
    public var devices: [CaptureDevice] { [] }

    /// Returns the camera of a trace; nil for the name of another device.
    ///
    /// - Throws: the errors of ``ReplayDriver/init(trace:camera:isLive:decoders:converters:)``.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        guard source.hasPrefix("replay:") else { return nil }
        var path = source.dropFirst("replay:".count)
        var camera = 1
        if let query = path.lastIndex(of: "?"), path[query...].hasPrefix("?camera="),
            let number = Int(path[query...].dropFirst("?camera=".count)), number >= 1
        {
            (path, camera) = (path[..<query], number)
        }
        return CaptureDevice(
            driver: try ReplayDriver(
                trace: String(path), camera: camera, isLive: isLive, decoders: decoders, converters: converters))
    }
}
