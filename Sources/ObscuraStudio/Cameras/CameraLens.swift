// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The state of a camera's lens and LED, as last read.
struct CameraLens: Sendable, Equatable {
    var zoom: CameraDescription.Zoom?
    var torch: Bool?
    var focus: CameraDescription.Focus?

    /// Creates a state whose values are all nil, for a camera without these features.
    init() {}

    /// Reads the state from the device. Blocks.
    init(of device: CaptureDevice) throws {
        self = try device.lockForConfiguration { device in
            var lens = CameraLens()
            let factor = device.videoZoomFactor
            if factor.isSupported, let range = factor.range {
                lens.zoom = .init(value: factor.value ?? range.lowerBound, min: range.lowerBound, max: range.upperBound)
            }
            if device.torchMode.isSupported { lens.torch = device.torchMode.value == .on }
            let focus = device.focusMode
            if focus.isSupported { lens.focus = .init(mode: focus.value, modes: focus.choices) }
            return lens
        }
    }
}
