// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

/// The file names of HLS in a folder.
struct HLSPath: Sendable, Hashable {
    /// The folder, with a trailing slash, beginning with `/` or `./`.
    let folder: String
    /// The file name of the master playlist: `live.m3u8`.
    let masterName: String

    init(_ path: String) {
        let slash = path.lastIndex(of: "/")
        // Otherwise FFmpeg treats the text before a colon as a protocol.
        folder = slash.map { (path.hasPrefix("/") ? "" : "./") + path[...$0] } ?? "./"
        masterName = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
    }

    private var stem: String { String(masterName.dropLast(".m3u8".count)) }

    /// The path of the media playlist: `live-media.m3u8`.
    var media: String { "\(folder)\(stem)-media.m3u8" }
    /// The name of the initialization segment: `live-init.mp4`.
    var initial: String { "\(stem)-init.mp4" }
    /// The path pattern of the segments, in which FFmpeg inserts the number: `live-000001.m4s`.
    var segments: String { "\(folder)\(stem)-%06d.m4s" }

    /// Returns the segment number in this file name, and whether the file is incomplete; nil for other files.
    func segment(_ name: String) -> (number: Int, isDraft: Bool)? {
        let isDraft = name.hasSuffix(".tmp")
        let name = isDraft ? name.dropLast(".tmp".count) : name[...]
        guard name.hasPrefix("\(stem)-"), name.hasSuffix(".m4s") else { return nil }
        let digits = name.dropFirst(stem.count + 1).dropLast(".m4s".count)
        guard digits.allSatisfy(\.isNumber), let number = Int(digits) else { return nil }
        return (number, isDraft)
    }

    /// Whether the folder exists, and only this user can access it.
    var isPrivate: Bool {
        // Without the slash, so that a symbolic link is not followed.
        let status = try? FileStatus(path: String(folder.dropLast()), followsLinks: false)
        guard let status, status.kind == .folder, status.owner == geteuid() else { return false }
        return status.permissions & 0o077 == 0
    }
}
