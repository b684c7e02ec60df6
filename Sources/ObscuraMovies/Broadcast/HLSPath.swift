// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc

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

    /// The number of the first segment in the list of an earlier broadcast. Nil where there is no list, or one that is not
    /// ours: who goes on with it deletes what it names, wherever that is.
    func firstListedSegment() -> Int? {
        let list = (try? String(contentsOfFile: media, encoding: .utf8)) ?? ""
        let names = list.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        let head = "\(stem)-"
        guard let name = names.first, name.hasPrefix(head), name.hasSuffix(Self.ending),
            let first = Int(name.dropFirst(head.count).dropLast(Self.ending.count)), first >= 0
        else { return nil }
        let isOurs = names.enumerated().allSatisfy { $1 == segment(first + $0) }
        return isOurs ? first : nil
    }

    /// Takes away the segments that had left that list: players that were behind could still have them, and nobody else
    /// knows of them any more.
    func removeSegments(before first: Int) {
        var number = first - 1
        while number >= 0, unlink(folder + segment(number)) == 0 { number -= 1 }
    }

    private static let ending = ".m4s"

    private func segment(_ number: Int) -> String {
        let digits = String(number)
        return "\(stem)-\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits)\(Self.ending)"
    }
}
