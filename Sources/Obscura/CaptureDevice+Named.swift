// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia
public import ObscuraMovies

extension CaptureDevice {
    /// The device that a name stands for, the same here, on the command line and in the Studio:
    ///
    /// - `camera`, `camera:front`, `camera:back`, `camera:` and a unique id: a camera of this machine;
    /// - `pattern`, `pattern:1280x720@60`: the built-in camera;
    /// - a path, or an address such as `rtsp://…` or `http://…`: a movie, as a camera.
    ///
    /// May open a file, to see what it is.
    ///
    /// - Parameter reading: how a movie is read: where to begin, in real time or as fast as it is taken.
    /// - Throws: ``CaptureError/Code/noSuchDevice``, and what the file or address says.
    public static func named(
        _ source: String, reading: MovieReadingOptions = MovieReadingOptions()
    ) throws(CaptureError) -> CaptureDevice {
        if source == "camera" || source.hasPrefix("camera:") {
            return try camera(named: String(source.dropFirst("camera:".count)))
        }
        if let device = try PatternDeviceProvider(isLive: reading.pace == .realTime).device(named: source) {
            return device
        }
        if let device = try MovieDeviceProvider(options: reading).device(named: source) { return device }
        throw CaptureError(
            .noSuchDevice, subject: source, reason: "no source has this name",
            advice: "Give camera, pattern, a path, or an address.")
    }

    private static func camera(named name: String) throws(CaptureError) -> CaptureDevice {
        let session = DiscoverySession(position: Position(rawValue: name) ?? .unspecified)
        let isUniqueID = !name.isEmpty && Position(rawValue: name) == nil
        let device = isUniqueID ? session.devices.first { $0.uniqueID == name } : session.devices.first
        guard let device else { throw .noCamera(name) }
        return device
    }
}

extension CaptureError {
    /// There is no camera, or none such.
    static func noCamera(_ name: String) -> CaptureError {
        CaptureError(
            .noSuchDevice, subject: name.isEmpty ? "camera" : "camera \(name)",
            reason: "this machine has no such camera",
            advice: "See what there is with: obscura devices. The built-in camera is called pattern.")
    }
}
