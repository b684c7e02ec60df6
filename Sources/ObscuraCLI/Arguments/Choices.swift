// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Public, because conformances of public types are.
public import ArgumentParser
public import Obscura

/// What `--format` may be.
enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png, raw, y4m
}

/// What `--pixel-format` may be.
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

/// What `--stats` may be.
enum StatisticsArgument: String, ExpressibleByArgument, CaseIterable {
    case json
}

// The words of the library are the words of the command line. They are written by the same people.
extension Orientation: ExpressibleByArgument {}
extension ImageRequest.Fit: ExpressibleByArgument {}
extension CaptureSession.Preset: ExpressibleByArgument {}
extension CaptureDevice.Position: ExpressibleByArgument {}
extension VideoCodec: ExpressibleByArgument {}
extension AudioCodec: ExpressibleByArgument {}
