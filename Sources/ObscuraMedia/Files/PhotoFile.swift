// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// A photo file, never visible under its name while it is incomplete; see ``DraftFile``.
package enum PhotoFile {
    private static let disk = WorkerPool(name: "photo files", threads: 2)

    /// Writes a file on a thread of this module, so that the caller suspends and does not block. Missing folders are
    /// created.
    nonisolated(nonsending) package static func write(
        _ data: [UInt8], to path: String, overwrites: Bool
    ) async throws(ObscuraError) {
        do {
            try await write(to: path, overwrites: overwrites) { data }
        } catch {
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: path)
        }
    }

    /// Writes a file with the bytes that `make` returns; `make` is called on the thread that writes.
    nonisolated(nonsending) package static func write(
        to path: String, overwrites: Bool, _ make: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        try await disk.run {
            Result {
                let data = try make()
                guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
                    throw ObscuraError(
                        .files, .invalidPath, subject: "photo \(path)",
                        reason: "the path is empty, ends with a slash, or contains a zero byte")
                }
                try OutputFile.makeFolder(PathParts(path).folder)
                try OutputFile.writeWhole(data, to: path, overwrites: overwrites, isSynced: true)
            }
        }.get()
    }
}
