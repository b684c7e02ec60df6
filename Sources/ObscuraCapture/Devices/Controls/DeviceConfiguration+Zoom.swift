// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension DeviceConfiguration {
    /// The zoom factor of the lens: 1 at the widest. Supported if the driver's values are proportional to the focal
    /// length, that is, above 0; set other zooms by the name of their control.
    public var videoZoomFactor: ControlRange<Double> {
        range(control(.zoom), zoomScale)
    }

    /// Sets the zoom factor of the lens.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and errors of the device.
    public mutating func setVideoZoomFactor(_ factor: Double) throws(ObscuraError) {
        try set(.zoom, to: factor, "videoZoomFactor", zoomScale)
    }

    private var zoomScale: ControlScale<Double>? {
        guard let least = control(.zoom)?.numbers?.range.lowerBound, least > 0 else { return nil }
        return .units(least)
    }
}
