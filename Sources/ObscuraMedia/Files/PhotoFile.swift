// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// The file of a photo. Under its name it is never seen in part: it grows under another name beside it, is brought to
/// the disk, and then gets its name.
package enum PhotoFile {
    private static let disk = WorkerPool(name: "photo files", threads: 2)

    /// Suspends while a thread of our own waits for the disk. Folders that are missing are made.
    nonisolated(nonsending) package static func write(
        _ data: [UInt8], to path: String, overwrites: Bool
    ) async throws(ObscuraError) {
        do {
            try await write(to: path, overwrites: overwrites) { data }
        } catch {
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: path)
        }
    }

    /// The same, with bytes that are made on that thread as well.
    nonisolated(nonsending) package static func write(
        to path: String, overwrites: Bool, _ make: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        try await disk.run {
            Result {
                let data = try make()
                guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
                    throw ObscuraError(
                        .files, .invalidPath, subject: "photo \(path)", reason: "it is no name of a file")
                }
                let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
                try OutputFile.makeFolder(folder)
                try OutputFile.writeWhole(data, to: path, in: folder, overwrites: overwrites, isSynced: true)
            }
        }.get()
    }
}
