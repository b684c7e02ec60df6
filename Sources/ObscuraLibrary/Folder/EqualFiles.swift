// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// Finds files with the same content by comparing them byte by byte.
struct EqualFiles {
    private static let blockSize = 256 << 10

    private let folder: LibraryFolder

    init(_ folder: LibraryFolder) {
        self.folder = folder
    }

    /// Returns the groups of two or more equal files among candidates, each in the order of `paths`. Files that cannot
    /// be read are equal to no other.
    func groups(of paths: [String]) -> [[String]] {
        var groups: [[String]] = []
        for path in paths {
            guard let file = open(path) else { continue }
            if let place = groups.firstIndex(where: { isEqual($0[0], to: file) }) {
                groups[place].append(path)
            } else {
                groups.append([path])
            }
        }
        return groups.filter { $0.count > 1 }
    }

    /// Whether a file of the library has the same content as another file.
    func isEqual(_ path: String, to other: OpenFile) -> Bool {
        open(path).map { Self.areEqual($0, other) } ?? false
    }

    /// Whether two files have the same content.
    static func areEqual(_ file: OpenFile, _ other: OpenFile) -> Bool {
        guard file.status.size == other.status.size else { return false }
        var offset: Int64 = 0
        while offset < file.status.size {
            guard let bytes = try? file.read(at: offset, count: blockSize), !bytes.isEmpty,
                let others = try? other.read(at: offset, count: blockSize), bytes == others
            else { return false }
            offset += Int64(bytes.count)
        }
        return true
    }

    private func open(_ path: String) -> OpenFile? {
        (try? LibraryPath(path)).flatMap { try? folder.open($0).file }
    }
}
