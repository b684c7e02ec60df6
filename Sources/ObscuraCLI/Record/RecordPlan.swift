// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

/// The recording that the user asked for, checked as a whole before anything is touched.
struct RecordPlan {
    let source: String
    /// The microphone; nil leaves it to the kind of source.
    let microphone: String?
    let video: VideoSettings
    let audio: AudioSettings
    let options: AssetWriter.Options
    let duration: MediaTime?
    let maximumSize: Int64?
    /// How many bytes of the disk stay free; nil for what the library leaves.
    let minimumFree: Int64?
    /// How long a part is; nil for a movie in one piece.
    let partDuration: MediaTime?
    let preset: CaptureSession.Preset
    let orientation: Orientation
    let effects: [VideoEffect]
    let isMirrored: Bool
    let trust: ServerTrust
    let isQuiet: Bool
    let pattern: FramePathPattern

    /// What is recorded otherwise than it was asked for; nil for nothing.
    var note: String? {
        guard video.codec == .h264 || video.codec == .hevc, let size = video.size, size.width % 2 + size.height % 2 > 0
        else { return nil }
        let even = PixelSize(width: size.width & ~1, height: size.height & ~1)
        return
            "\(size) becomes \(even): \(video.codec.rawValue) takes only even sides, since its colours have half the size."
    }

    /// The name of a part, the first of which is 1.
    func path(_ part: Int) -> String {
        guard partDuration != nil, !pattern.hasNumber else { return pattern.path(part) }
        let path = pattern.path(0)
        guard let point = path.lastIndex(of: ".") else { return path }
        return "\(path[..<point])-\(part)\(path[point...])"
    }
}
