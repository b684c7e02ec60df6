// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The mode of a camera for frames that are copied: one that delivers compressed frames, H.264 before JPEG.
enum CopiedMode {
    /// Returns the mode with the size that the preset selects; nil for a source without such modes, such as a movie.
    static func format(of device: CaptureDevice, preset: CaptureSession.Preset) -> VideoFormat? {
        [PixelFormat.h264, .mjpeg].lazy.compactMap { format in
            ModeChoice(preset, from: device.formats.filter { $0.pixelFormat == format })?.format
        }.first
    }
}
