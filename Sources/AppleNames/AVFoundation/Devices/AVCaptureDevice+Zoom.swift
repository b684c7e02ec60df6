// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura

/// The zoom of the lens. Pictures are not cropped to zoom further.
extension AVCaptureDevice {
    private static let logger = Logger(label: "obscura.avfoundation")

    /// The lowest zoom factor of the lens, which is 1.
    public var minAvailableVideoZoomFactor: CGFloat { zoom?.range.map { CGFloat($0.lowerBound) } ?? 1 }

    /// The highest zoom factor of the lens; 1 for a camera without a zoom.
    public var maxAvailableVideoZoomFactor: CGFloat { zoom?.range.map { CGFloat($0.upperBound) } ?? 1 }

    /// The zoom factor of the lens: 1 at the widest angle. Setting it ends a running ramp.
    public var videoZoomFactor: CGFloat {
        get { zoom?.value.map { CGFloat($0) } ?? 1 }
        set {
            zoomRamp.cancel()
            setZoomFactor(Double(newValue))
        }
    }

    /// The factor from a zoom factor to its displayed value. Always 1: a camera here has one lens, whose widest angle
    /// is displayed as 1.
    public var displayVideoZoomFactorMultiplier: CGFloat { 1 }

    /// Zooms at a constant rate. Replaces a running ramp. Returns immediately.
    ///
    /// - Parameters:
    ///   - factor: the zoom factor at the end. If the lens does not have it, nothing is changed, and an error is
    ///     logged.
    ///   - rate: the rate, in powers of two per second: 1 doubles the zoom factor in a second.
    public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
        guard (minAvailableVideoZoomFactor...maxAvailableVideoZoomFactor).contains(factor), rate > 0 else {
            return Self.logger.error(
                "\(localizedName): ramp: the lens has no zoom factor \(factor), or the rate \(rate) is not positive")
        }
        let ramp = ZoomRamp(start: Double(videoZoomFactor), target: Double(factor), rate: Double(rate))
        zoomRamp.begin(ramp) { [weak self] in self?.setZoomFactor($0) }
    }

    /// Ends a ramp. The zoom factor stays as it is at this moment.
    public func cancelVideoZoomRamp() { zoomRamp.cancel() }

    /// Whether a ramp runs.
    public var isRampingVideoZoom: Bool { zoomRamp.isRunning }

    private var zoom: ControlRange<Double>? { read { $0.videoZoomFactor } }

    private func setZoomFactor(_ factor: Double) { change("videoZoomFactor") { try $0.setVideoZoomFactor(factor) } }
}
