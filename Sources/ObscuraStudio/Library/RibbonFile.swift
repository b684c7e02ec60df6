// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraBase
internal import ObscuraLibrary

/// The file with the ribbon, in the hidden folder of the library, so that the ribbon survives a restart.
final class RibbonFile: Sendable {
    private static let mostBytes = 1 << 20

    private let directory: MediaDirectory
    /// One thread: the last change is the last to be written.
    private let worker = WorkerPool(name: "ribbon", threads: 1)
    private let isWaiting = Lock(false)

    init(_ directory: MediaDirectory) {
        self.directory = directory
    }

    /// Reads the names of existing files; none if the file is missing or damaged. Blocks.
    func read() -> [String] {
        guard let bytes = directory.hiddenFile(upTo: Self.mostBytes),
            let names = try? JSONDecoder().decode([String].self, from: Data(bytes))
        else { return [] }
        var seen: Set<String> = []
        return names.filter { name in
            seen.insert(name).inserted && (try? MediaName(name)).flatMap { directory.status(of: $0.text) } != nil
        }
    }

    /// Saves the names soon, without waiting. A ribbon that cannot be saved is no error: it is a convenience.
    ///
    /// - Parameter names: called when they are written, nil to write nothing; several changes in quick succession are one
    ///   write.
    func save(_ names: @escaping @Sendable () -> [String]?) {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = true }
            return !isWaiting
        }
        guard isFirst else { return }
        worker.async { [self] in
            isWaiting.withLock { $0 = false }
            guard let names = names(), let bytes = try? JSONEncoder().encode(names) else { return }
            try? directory.writeHiddenFile(Array(bytes))
        }
    }
}
