// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension OutputFile {
    /// Writes a whole file: under its name it is never seen in part.
    ///
    /// It grows beside it as a ``Draft``.
    ///
    /// - Parameters:
    ///   - isSynced: whether it is on the disk, and its name as well, before this returns. Without that, a power cut soon
    ///     afterwards may leave an empty file under the name.
    ///   - permissions: of a new file, where one that is replaced keeps its own; nil for those of every new file.
    package static func writeWhole(
        _ bytes: [UInt8], to path: String, in folder: String, overwrites: Bool, isSynced: Bool = false,
        permissions: UInt32? = nil
    ) throws(ObscuraError) {
        // A device or pipe must not be replaced by a file, whatever may be overwritten.
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
            // Some systems make files without names, and then let nobody name them (AppArmor: ENOENT).
            guard draft.isNameless, error.errno == ENOENT || error.errno == EPERM || error.errno == EACCES else {
                throw error
            }
            try write(try Draft(in: folder, for: path, isNameless: false))
        }
        if isSynced { synchronizeFolder(folder) }
    }
}
