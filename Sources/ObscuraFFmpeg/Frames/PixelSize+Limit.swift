// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension PixelSize {
    /// The number of pixels as a limit of frames, within the range of FFmpeg's option `max_pixels`.
    var pixelLimit: Int64 { Int64(min(pixelCount, Int(Int32.max))) }
}
