// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// A file to add to the library. A temporary one is deleted with the object.
final class SourceFile: Sendable {
    let url: URL
    let isTemporary: Bool

    init(url: URL) {
        (self.url, isTemporary) = (url, false)
    }

    /// Writes a temporary file. Blocks.
    init(temporary data: Data) throws(ObscuraError) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        isTemporary = true
        do {
            try data.write(to: url)
        } catch {
            throw ObscuraError(wrapping: error, as: .library, .writingFailed, subject: url.path)
        }
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    /// The first bytes; empty for a file that cannot be read. Blocks.
    var head: Data { (try? FileHandle(forReadingFrom: url).read(upToCount: 16)) ?? Data() }
}
