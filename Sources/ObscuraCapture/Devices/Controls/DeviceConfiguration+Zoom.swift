// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension DeviceConfiguration {
    /// The zoom factor of the lens: 1 at the widest angle.
    ///
    /// The factor is the value of the camera's zoom control, divided by the lowest value of that control. If the lowest
    /// value is 0 or less, the setting is not supported: set the control `zoom_absolute` with
    /// ``set(_:to:)-(String,Int64)`` instead.
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
