// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension DeviceConfiguration {
    /// The zoom factor of the lens: 1 at the widest angle.
    ///
    /// Not supported if the lowest value of the camera's zoom control is 0 or less, since such values have no known
    /// factor. Set the control `zoom_absolute` with ``set(_:to:)-(String,Int64)`` instead.
    public var videoZoomFactor: ControlRange<Double> {
        range(control(.zoom), zoomScale)
    }

    /// Sets the zoom factor of the lens: 1 at the widest angle.
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
