// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// The format and the frame rate of a camera. A change takes effect at once in the session of the camera, or with
/// others at `commitConfiguration()`.
///
/// A preset other than `inputPriority` resets them: when it is set, and when the camera is added to a session that has it.
extension AVCaptureDevice {
    /// The session of the camera.
    struct Place: Sendable {
        weak var session: AVCaptureSession?
        /// The selection while the camera is in no session.
        var selection = ModeSelection()
        /// The flash of photos whose settings do not have one.
        var flashMode = FlashMode.off
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    /// The format in which the camera runs, or would run in its session. Setting it selects the highest frame rate of
    /// the format, and sets the preset of the session to `inputPriority`. If the camera does not have the format,
    /// nothing is changed, and an error is logged.
    public var activeFormat: Format {
        get { activeMode.map(format) ?? Format([], of: self) }
        set {
            guard formats.contains(newValue), let mode = newValue.fastest else {
                return Self.logger.error("\(localizedName): activeFormat: \(newValue) is not a format of this camera")
            }
            select(isFormat: true) { $0 = ModeSelection(base: mode) }
        }
    }

    /// The shortest time between two frames, in seconds: a frame duration of the active format. `CMTime.invalid`
    /// restores the default. If the format does not have the duration, nothing is changed, and an error is logged.
    public var activeVideoMinFrameDuration: CMTime {
        get { activeMode?.frameRate.map { CMTime($0.frameDuration) } ?? .invalid }
        set { limit("activeVideoMinFrameDuration", newValue) { $0.setMinimum($1) } }
    }

    /// The longest time between two frames, in seconds; see ``activeVideoMinFrameDuration``. The camera has a constant
    /// frame rate: the highest rate between both limits.
    public var activeVideoMaxFrameDuration: CMTime {
        get {
            let shortest = activeVideoMinFrameDuration
            return selection.limits.maximum.map { max(CMTime($0), shortest) } ?? shortest
        }
        set { limit("activeVideoMaxFrameDuration", newValue) { $0.setMaximum($1) } }
    }

    private func limit(
        _ property: String, _ value: CMTime, _ set: (inout FrameDurationLimits, MediaTime?) -> Void
    ) {
        let (format, duration) = (activeFormat, value.mediaTime)
        let isOffered = format.modes.contains { $0.frameRate?.frameDuration == duration }
        guard duration != nil ? isOffered : !value.isValid else {
            let known = format.modes.compactMap { $0.frameRate.map { "\(CMTime($0.frameDuration).seconds) s" } }
            return Self.logger.error(
                "\(localizedName): \(property): \(value.seconds) s is not a frame duration of the active format, which has \(known.joined(separator: ", "))"
            )
        }
        select(isFormat: false) { set(&$0.limits, duration) }
    }

    private func select(isFormat: Bool, _ change: (inout ModeSelection) -> Void) {
        if let session = place.withLock({ $0.session }), session.select(for: self, isFormat: isFormat, change) {
            return
        }
        place.withLock { change(&$0.selection) }
    }

    // MARK: In a session

    /// Notes the session to which the camera was added.
    ///
    /// - Returns: The selection, which is the session's from now on.
    func join(_ session: AVCaptureSession) -> ModeSelection {
        place.withLock { place in
            defer { (place.session, place.selection) = (session, ModeSelection()) }
            return place.selection
        }
    }

    /// Notes that the camera is in no session any more, and keeps what was selected.
    func leave(_ session: AVCaptureSession, _ selection: ModeSelection?) {
        place.withLock { place in
            if place.session === session { (place.session, place.selection) = (nil, selection ?? ModeSelection()) }
        }
    }

    private var selection: ModeSelection {
        let place = place.withLock { $0 }
        return place.session?.selection(for: self) ?? place.selection
    }

    private var activeMode: VideoFormat? {
        let place = place.withLock { $0 }
        let first = device.formats.first
        return place.session?.mode(of: self) ?? place.selection.mode(among: device.formats, usual: first) ?? first
    }

    private func format(of mode: VideoFormat) -> Format {
        formats.first { $0.modes.contains(mode) } ?? Format([mode], of: self)
    }
}
