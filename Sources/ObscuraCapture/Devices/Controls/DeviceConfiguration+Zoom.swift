// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension DeviceConfiguration {
    /// By how much the lens enlarges: 1 at its widest. Supported where the driver's numbers are in proportion to
    /// the focal length, that is, above 0; other zooms are set by the name of their control.
    public var videoZoomFactor: ControlRange<Double> {
        range(control(.zoom), zoomScale)
    }

    /// - Throws: ``ObscuraError``: `unsupportedControl`, `invalidValue`, and what the device says.
    public mutating func setVideoZoomFactor(_ factor: Double) throws(ObscuraError) {
        try set(.zoom, to: factor, "videoZoomFactor", zoomScale)
    }

    private var zoomScale: ControlScale<Double>? {
        guard let least = control(.zoom)?.numbers?.range.lowerBound, least > 0 else { return nil }
        return .units(least)
    }
}
