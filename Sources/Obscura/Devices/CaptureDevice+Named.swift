// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia
public import ObscuraMovies

extension CaptureDevice {
    /// Returns the device for a source name. The command line of Obscura accepts the same names:
    ///
    /// - `camera`: the default camera of this machine;
    /// - `camera:front`, `camera:back`: the first camera at this position;
    /// - `camera:` followed by a unique ID, a device node such as `/dev/video2`, or a name in `/dev/v4l/by-id` or
    ///   `/dev/v4l/by-path`: a specific camera of this machine;
    /// - `microphone`: the default microphone of this machine;
    /// - `microphone:` followed by a unique ID, `default`, a device node such as `/dev/snd/pcmC0D0c`, or a libasound
    ///   name such as `hw:0,0`: a specific microphone of this machine;
    /// - `pattern`: the test-pattern camera; `pattern:1280x720@60` sets the size in pixels and the frame rate;
    /// - `tone`: the test-tone microphone, which supplies a beep once a second; `tone:1000@-6` supplies a continuous tone
    ///   of 1000 Hz at -6 dBFS;
    /// - `replay:bug.trace`: a replay of the first camera in a trace file (``SessionTrace``);
    ///   `replay:bug.trace?camera=2` replays the second camera;
    /// - a path, or an address such as `rtsp://…` or `http://…`: a movie or a network camera, as a device that supplies
    ///   video and audio.
    ///
    /// May open a file to detect its type.
    ///
    /// - Parameters:
    ///   - source: The name, path or address.
    ///   - reading: The options for reading a movie, such as its start position and pace.
    /// - Throws: ``ObscuraError/Code/noSuchDevice``, or the error of a file or an address that cannot be opened.
    public static func named(
        _ source: String, reading: MovieReadingOptions = MovieReadingOptions()
    ) throws(ObscuraError) -> CaptureDevice {
        if source == "camera" || source.hasPrefix("camera:") {
            return try camera(named: String(source.dropFirst("camera:".count)))
        }
        // A node is always a camera; its prefix may be omitted.
        if ["/dev/video", "/dev/v4l/"].contains(where: source.hasPrefix) { return try camera(named: source) }
        if source == "microphone" || source.hasPrefix("microphone:") {
            return try microphone(named: String(source.dropFirst("microphone:".count)))
        }
        if source.hasPrefix("/dev/snd/") { return try microphone(named: source) }
        let isLive = reading.pace == .realTime
        if let device = try PatternDeviceProvider(isLive: isLive).device(named: source) { return device }
        if let device = try ToneDeviceProvider(isLive: isLive, converters: FFmpegConverters()).device(named: source) {
            return device
        }
        let replays = ReplayDeviceProvider(isLive: isLive, decoders: FFmpegDecoders(), converters: FFmpegConverters())
        if let device = try replays.device(named: source) { return device }
        if let device = try MovieDeviceProvider(options: reading).device(named: source) { return device }
        throw ObscuraError(
            .capture, .noSuchDevice, subject: source, reason: "no source has this name",
            advice: "Use camera, microphone, pattern, tone, replay:FILE, a path, or an address.")
    }

    /// Returns the camera for the text after `camera:`.
    static func camera(
        named name: String, among providers: [any CaptureDeviceProvider] = CameraKinds.machine
    ) throws(ObscuraError) -> CaptureDevice {
        let position = Position(rawValue: name)
        if name.isEmpty || position != nil {
            let session = DiscoverySession(position: position ?? .unspecified, providers: providers)
            guard let device = session.devices.first else { throw .noCamera(position, among: providers) }
            return device
        }
        let find = { @Sendable () throws(ObscuraError) -> CaptureDevice? in
            for provider in providers {
                if let device = try provider.device(named: "camera:\(name)") { return device }
            }
            return nil
        }
        if let device = try find() ?? PortalCamera.device(name, find: { try? find() }) { return device }
        throw .noCamera(name, among: providers)
    }
}

extension ObscuraError {
    /// Returns the error for a missing camera, or a missing camera at a position.
    static func noCamera(
        _ position: CaptureDevice.Position?, among providers: [any CaptureDeviceProvider] = CameraKinds.machine
    ) -> ObscuraError {
        let devices = CaptureDevice.DiscoverySession(providers: providers).devices
        guard let position, position != .unspecified, let first = devices.first else {
            return .noCamera(position.map { "camera:\($0.rawValue)" } ?? "camera", devices)
        }
        return ObscuraError(
            .capture, .noSuchDevice, subject: "camera:\(position.rawValue)",
            reason: "no camera of this machine has the position \(position.rawValue); the cameras are \(list(devices))",
            remedy: .setPosition(device: first.uniqueID, position: position.rawValue))
    }

    /// Returns the error for an unknown camera name.
    static func noCamera(_ name: String, among providers: [any CaptureDeviceProvider]) -> ObscuraError {
        noCamera("camera:\(name)", CaptureDevice.DiscoverySession(providers: providers).devices)
    }

    private static func noCamera(_ source: String, _ devices: [CaptureDevice]) -> ObscuraError {
        guard !devices.isEmpty else {
            return ObscuraError(
                .capture, .noSuchDevice, subject: source,
                reason: "this machine has no camera except the built-in test pattern",
                remedy: .diagnose)
        }
        return ObscuraError(
            .capture, .noSuchDevice, subject: source,
            reason: "this machine has no such camera; the cameras are \(list(devices))",
            remedy: .listDevices)
    }

    /// Lists the names of the first five cameras.
    private static func list(_ devices: [CaptureDevice]) -> String {
        let names = devices.prefix(5).map { "camera:\($0.uniqueID) (\($0.localizedName))" }
        return names.joined(separator: ", ") + (devices.count > 5 ? " and \(devices.count - 5) more" : "")
    }
}
