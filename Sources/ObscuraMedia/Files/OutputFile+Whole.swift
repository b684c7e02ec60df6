// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension OutputFile {
    /// Writes a file that is never visible under its name while it is incomplete.
    ///
    /// The data is first written to a ``Draft`` in the same folder.
    ///
    /// - Parameters:
    ///   - isSynced: whether the data and the name are flushed to disk before this returns. Otherwise, a power loss
    ///     soon afterwards may leave an empty file under the name.
    ///   - permissions: the permissions of a new file; nil for the default. A file that is replaced keeps its own.
    package static func writeWhole(
        _ bytes: [UInt8], to path: String, in folder: String, overwrites: Bool, isSynced: Bool = false,
        permissions: UInt32? = nil
    ) throws(ObscuraError) {
        // Never replace a device or pipe with a file, even if overwriting is allowed.
        if overwrites, isSpecialFile(path) { return try create(path, overwrites: true).write(bytes) }
        func write(_ draft: Draft) throws(ObscuraError) {
            do throws(ObscuraError) {
                if let permissions { try draft.file.takePermissions(of: path, otherwise: permissions) }
                try draft.file.write(bytes)
                if isSynced { try draft.file.synchronize() }
            } catch {
                throw error.about(path)
            }
            try draft.take(path, overwrites: overwrites)
        }
        let draft = try Draft(in: folder, for: path)
        do throws(ObscuraError) {
            try write(draft)
        } catch {
            // Some systems create files without a name, but do not allow them to be named (AppArmor: ENOENT).
            guard draft.isNameless, error.errno == ENOENT || error.errno == EPERM || error.errno == EACCES else {
                throw error
            }
            try write(try Draft(in: folder, for: path, isNameless: false))
        }
        if isSynced { synchronizeFolder(folder) }
    }
}
