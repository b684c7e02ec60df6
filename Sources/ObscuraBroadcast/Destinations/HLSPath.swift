// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase

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

    /// The number of the segment of this name, and whether it is incomplete; nil for other files.
    func segment(_ name: String) -> (number: Int, isDraft: Bool)? {
        let isDraft = name.hasSuffix(".tmp")
        let name = isDraft ? name.dropLast(".tmp".count) : name[...]
        guard name.hasPrefix("\(stem)-"), name.hasSuffix(".m4s") else { return nil }
        let digits = name.dropFirst(stem.count + 1).dropLast(".m4s".count)
        guard digits.allSatisfy(\.isNumber), let number = Int(digits) else { return nil }
        return (number, isDraft)
    }

    /// Whether the folder exists, and only this user can use it.
    var isPrivate: Bool {
        // Without the slash, so that a symbolic link is not followed.
        let status = try? FileStatus(path: String(folder.dropLast()), followsLinks: false)
        guard let status, status.kind == .folder, status.owner == geteuid() else { return false }
        return status.permissions & 0o077 == 0
    }
}
