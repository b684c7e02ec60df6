// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Exposure and focus by numbers. A value that the camera rejects changes nothing, and is a warning in the log.
extension AVCaptureDevice {
    /// The exposure time, in seconds; invalid if the camera does not report it.
    public var exposureDuration: CMTime {
        (read { $0.exposureDuration.value } ?? nil).map { CMTime($0) } ?? .invalid
    }

    /// The value that keeps the present exposure time in ``setExposureModeCustom(duration:iso:completionHandler:)``.
    public static let currentExposureDuration = CMTime.invalid

    /// The sensitivity, as an ISO speed; 0 if the camera does not report it.
    public var iso: Float { (read { $0.iso.value } ?? nil).map { Float($0) } ?? 0 }

    /// The value that keeps the present sensitivity in ``setExposureModeCustom(duration:iso:completionHandler:)``.
    public static let currentISO = Float.greatestFiniteMagnitude

    /// Sets the exposure time and the sensitivity, and the mode to `custom`. A failure is logged.
    ///
    /// - Parameters:
    ///   - duration: the exposure time, in seconds, or ``currentExposureDuration``.
    ///   - iso: the sensitivity, or ``currentISO``.
    ///   - handler: called on an arbitrary queue after the change or its failure, with the time of this call.
    @preconcurrency
    public func setExposureModeCustom(
        duration: CMTime, iso: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        change("setExposureModeCustom") { camera in
            try camera.setExposureModeCustom(
                duration: duration.mediaTime, iso: iso == Self.currentISO ? nil : Double(iso))
        }
        answer(handler)
    }

    /// The exposure compensation, in EV.
    public var exposureTargetBias: Float { (read { $0.exposureTargetBias.value } ?? nil).map { Float($0) } ?? 0 }
    /// The lowest exposure compensation, in EV.
    public var minExposureTargetBias: Float { bias.map { Float($0.lowerBound) } ?? 0 }
    /// The highest exposure compensation, in EV.
    public var maxExposureTargetBias: Float { bias.map { Float($0.upperBound) } ?? 0 }

    /// Sets the exposure compensation. A failure is logged.
    ///
    /// - Parameters:
    ///   - bias: the compensation, in EV.
    ///   - handler: called on an arbitrary queue after the change or its failure, with the time of this call.
    @preconcurrency
    public func setExposureTargetBias(
        _ bias: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        change("setExposureTargetBias") { try $0.setExposureTargetBias(Double(bias)) }
        answer(handler)
    }

    /// The position of the lens, from 0 (near) to 1 (far); 0 if the camera does not report it.
    public var lensPosition: Float { (read { $0.lensPosition.value } ?? nil).map { Float($0) } ?? 0 }

    /// The value that keeps the present position of the lens in
    /// ``setFocusModeLocked(lensPosition:completionHandler:)``.
    public static let currentLensPosition = Float.greatestFiniteMagnitude

    /// Whether the position of the lens can be set.
    public var isLockingFocusWithCustomLensPositionSupported: Bool { read { $0.lensPosition.isSupported } ?? false }

    /// Sets the position of the lens, and the focus mode to `locked`.
    ///
    /// - Parameters:
    ///   - lensPosition: the position, from 0 to 1, or ``currentLensPosition``.
    ///   - handler: called on an arbitrary queue after the change, with the time of this call.
    @preconcurrency
    public func setFocusModeLocked(
        lensPosition: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
    ) {
        change("setFocusModeLocked") { camera in
            if lensPosition == Self.currentLensPosition {
                try camera.setFocusMode(.locked)
            } else {
                try camera.setFocusModeLocked(lensPosition: Double(lensPosition))
            }
        }
        answer(handler)
    }

    var exposureDurations: ClosedRange<MediaTime>? { read { $0.exposureDuration.range } ?? nil }
    var sensitivities: ClosedRange<Double>? { read { $0.iso.range } ?? nil }
    private var bias: ClosedRange<Double>? { read { $0.exposureTargetBias.range } ?? nil }

    /// The frames after the change cannot be told from those before it, so that the time is that of the call.
    private func answer(_ handler: (@Sendable (CMTime) -> Void)?) {
        guard let handler else { return }
        let now = CMClock.hostTimeClock.time
        DispatchQueue.global().async { handler(now) }
    }
}
