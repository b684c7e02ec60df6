// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// Writes the files of photos: a name never leads to a part of one, and is on the disk with its bytes; see ``DraftFile``.
package enum PhotoFile {
    private static let disk = WorkerPool(name: "photo files", threads: 2)

    /// Writes a photo, and creates missing folders. Suspends while a thread of our own waits for the disk.
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
                        .files, .invalidPath, subject: "photo \(path)", reason: "it is not the name of a file")
                }
                try OutputFile.makeFolder(PathParts(path).folder)
                try OutputFile.writeWhole(data, to: path, overwrites: overwrites, isSynced: true)
            }
        }.get()
    }
}
