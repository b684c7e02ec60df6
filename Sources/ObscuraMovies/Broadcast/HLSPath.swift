// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The files of HLS in a folder.
struct HLSPath: Sendable, Hashable {
    /// With its slash, beginning with `/` or `./`.
    let folder: String
    /// The master list's own name, with its ending: `live.m3u8`.
    let masterName: String

    init(_ path: String) {
        let slash = path.lastIndex(of: "/")
        // Else FFmpeg takes what stands before a colon for a protocol.
        folder = slash.map { (path.hasPrefix("/") ? "" : "./") + path[...$0] } ?? "./"
        masterName = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
    }

    private var stem: String { String(masterName.dropLast(".m3u8".count)) }

    /// The path of the list of segments: `live-media.m3u8`.
    var media: String { "\(folder)\(stem)-media.m3u8" }
    /// The name of the segment with which each begins: `live-init.mp4`.
    var initial: String { "\(stem)-init.mp4" }
    /// The path of the segments, of which FFmpeg makes their numbers: `live-000001.m4s`.
    var segments: String { "\(folder)\(stem)-%06d.m4s" }
}
