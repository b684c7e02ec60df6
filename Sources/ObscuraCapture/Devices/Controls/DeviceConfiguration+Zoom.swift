// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension DeviceConfiguration {
    /// The zoom factor of the lens: 1 at the widest angle. Supported only if the lowest value of the driver is above 0,
    /// since the values are then proportional to the focal length. Otherwise set the zoom by the name of its control.
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
