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
    /// The format and the limits that a program has selected, and the session of the camera.
    struct Selection: Sendable {
        var format: Format?
        var limits = FrameDurationLimits()
        weak var session: AVCaptureSession?
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    /// The format in which the camera runs, or would run in its session. Setting it selects the highest frame rate of
    /// the format, and changes the preset of the session to `inputPriority`. A format that the camera does not have
    /// changes nothing, and is an error in the log.
    public var activeFormat: Format {
        get { activeMode.map(format) ?? Format([]) }
        set {
            guard formats.contains(newValue), let mode = newValue.fastest else {
                return Self.logger.error("\(localizedName): activeFormat: \(newValue) is not one of its formats")
            }
            let session = selection.withLock { selection in
                selection.format = newValue
                selection.limits = FrameDurationLimits()
                return selection.session
            }
            session?.setMode(mode, of: self, isFormat: true)
        }
    }

    /// The shortest time between two frames, in seconds: one of those of the active format. `CMTime.invalid` restores
    /// the usual one. A time that the format does not have changes nothing, and is an error in the log.
    public var activeVideoMinFrameDuration: CMTime {
        get { activeMode?.frameRate.map { CMTime($0.frameDuration) } ?? .invalid }
        set { limit("activeVideoMinFrameDuration", newValue) { $0.setMinimum($1) } }
    }

    /// The longest time between two frames, in seconds; see ``activeVideoMinFrameDuration``. The camera has a constant
    /// frame rate, which is the highest one that both allow.
    public var activeVideoMaxFrameDuration: CMTime {
        get {
            let shortest = activeVideoMinFrameDuration
            return selection.withLock { $0.limits.maximum }.map { max(CMTime($0), shortest) } ?? shortest
        }
        set { limit("activeVideoMaxFrameDuration", newValue) { $0.setMaximum($1) } }
    }

    private func limit(
        _ property: String, _ value: CMTime, _ set: (inout FrameDurationLimits, MediaTime?) -> Void
    ) {
        let (format, duration) = (activeFormat, value.mediaTime)
        let isOffered = format.modes.contains { $0.frameRate?.frameDuration == duration }
        guard let usual = usualMode, duration != nil ? isOffered : !value.isValid else {
            let known = format.modes.compactMap { $0.frameRate.map { "\(CMTime($0.frameDuration).seconds) s" } }
            return Self.logger.error(
                "\(localizedName): \(property): \(value.seconds) s is not a frame duration of the active format, which has \(known.joined(separator: ", "))"
            )
        }
        let (session, mode) = selection.withLock { selection in
            set(&selection.limits, duration)
            return (selection.session, selection.limits.mode(in: format.modes, usual: usual))
        }
        session?.setMode(mode, of: self, isFormat: false)
    }

    // MARK: In a session

    /// Notes the session to which the camera was added.
    ///
    /// - Returns: The mode that was selected before; nil if the preset of the session selects it.
    func join(_ session: AVCaptureSession) -> VideoFormat? {
        let isReset = session.sessionPreset != .inputPriority
        selection.withLock { selection in
            if isReset { selection = Selection() }
            selection.session = session
        }
        return isReset ? nil : selectedMode
    }

    /// Notes that the camera was removed from a session.
    func leave(_ session: AVCaptureSession) {
        selection.withLock { if $0.session === session { $0.session = nil } }
    }

    /// Forgets the selection, since the preset selects again.
    func resetSelection() {
        selection.withLock { selection in
            selection.format = nil
            selection.limits = FrameDurationLimits()
        }
    }

    /// The mode that the program has selected; nil if it has selected nothing.
    private var selectedMode: VideoFormat? {
        let (format, limits) = selection.withLock { ($0.format, $0.limits) }
        guard format != nil || limits != FrameDurationLimits(), let usual = format?.fastest ?? device.formats.first
        else { return nil }
        return limits.mode(in: self.format(of: usual).modes, usual: usual)
    }

    private var activeMode: VideoFormat? {
        let session = selection.withLock { $0.session }
        return session?.mode(of: self) ?? selectedMode ?? device.formats.first
    }

    /// The mode without limits.
    private var usualMode: VideoFormat? {
        let (session, format) = selection.withLock { ($0.session, $0.format) }
        return format?.fastest ?? session?.usualMode(of: self) ?? device.formats.first
    }

    private func format(of mode: VideoFormat) -> Format { formats.first { $0.modes.contains(mode) } ?? Format([mode]) }
}
