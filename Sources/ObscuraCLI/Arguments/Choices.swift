// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Public, because conformances of public types must be public.
public import ArgumentParser
public import Obscura

/// The values of `--format`.
enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png, raw, y4m
}

/// The values of `--pixel-format`.
enum PixelFormatArgument: String, ExpressibleByArgument, CaseIterable {
    case bgra, rgba, bgr24, rgb24, nv12, i420, gray8

    var pixelFormat: PixelFormat {
        switch self {
        case .bgra: .bgra
        case .rgba: .rgba
        case .bgr24: .bgr24
        case .rgb24: .rgb24
        case .nv12: .nv12
        case .i420: .i420
        case .gray8: .gray8
        }
    }
}

/// The values of `--stats`.
enum StatisticsArgument: String, ExpressibleByArgument, CaseIterable {
    case json
}

// The raw values of the library are the values of the options.
extension Orientation: ExpressibleByArgument {}
extension ImageRequest.Fit: ExpressibleByArgument {}
extension CaptureSession.Preset: ExpressibleByArgument {}
extension CaptureDevice.Position: ExpressibleByArgument {}
extension CameraDriverKind: ExpressibleByArgument {}
extension VideoCodec: ExpressibleByArgument {}
extension AudioCodec: ExpressibleByArgument {}
