// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// What the user asked for, checked as a whole before anything is touched.
struct ExtractPlan {
    /// Where the frames go.
    enum Target: Equatable {
        case sequence(FramePathPattern, FrameSequenceWriter.Encoding)
        case stream(FrameStreamWriter.Destination, isY4M: Bool)
    }

    let source: String
    let output: String
    let target: Target
    let settings: FrameExport.Settings
    /// Where to begin; nil for the beginning.
    let start: MediaTime?
    let isRealTime: Bool
    let trust: ServerTrust
    let overwrites: Bool
    let isQuiet: Bool
    let printsStatistics: Bool
    let timestampsPath: String?

    /// Whether standard output carries frames, so that nothing else may.
    var writesToStandardOutput: Bool {
        if case .stream(.standardOutput, _) = target { true } else { false }
    }

    /// Still a little nearer to the original than ffmpeg's `-q:v 3`, by its PSNR over a real film.
    static let defaultQuality = 85
}
