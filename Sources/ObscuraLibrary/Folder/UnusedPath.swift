// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// Finds unused paths: `STEM.ENDING`, `STEM-2.ENDING` and so on.
struct UnusedPath {
    private static let mostNumbers = 100_000
    /// Leaves space for a number and for the suffix of a sidecar.
    private static let longestStem = LibraryPath.longestName - 48

    private let folder: LibraryFolder

    init(_ folder: LibraryFolder) {
        self.folder = folder
    }

    /// Returns the first path like `path` that neither an item nor a leftover sidecar has. Without the lock, another
    /// process may use the path at once: create the file without replacing another one, and try again.
    ///
    /// - Parameters:
    ///   - first: the first number to try.
    ///   - keepsLength: whether to try the path itself first, even if its name is too long for a number and for sidecars.
    func path(
        like path: LibraryPath, from first: Int = 1, keepsLength: Bool = false
    ) throws(ObscuraError) -> LibraryPath {
        let place = try? folder.folder(path.folder)
        func isUsed(_ name: String) -> Bool {
            ([name] + Sidecar.allCases.map { $0.name(for: name) }).contains { place?.isTaken($0) ?? false }
        }
        if keepsLength, !isUsed(path.name) { return path }
        var (stem, ending) = path.nameParts
        while stem.utf8.count > Self.longestStem { stem.removeLast() }
        for number in first..<first + Self.mostNumbers {
            let name = number == 1 ? "\(stem).\(ending)" : "\(stem)-\(number).\(ending)"
            guard let candidate = LibraryPath(name: name, in: path.folder) else { break }
            if !isUsed(name) { return candidate }
        }
        throw ObscuraError(
            .library, .fileExists, subject: path.text,
            reason: "the library already has \(Self.mostNumbers) files with this name and a number",
            advice: "Use another name.")
    }
}
