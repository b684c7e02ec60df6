// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The destination of the frames, and their format.
enum FrameTarget: Equatable {
    case sequence(FramePathPattern, FrameSequenceWriter.Encoding)
    case stream(FrameStreamWriter.Destination, isY4M: Bool)

    /// Whether standard output carries frames, so that nothing else may be written to it.
    var isStandardOutput: Bool {
        if case .stream(.standardOutput, _) = self { true } else { false }
    }
}
