// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The path of a folder that is deleted with the object.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
