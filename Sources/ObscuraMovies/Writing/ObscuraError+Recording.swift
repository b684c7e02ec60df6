// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

extension ObscuraError {
    static func noFile(_ path: String) -> ObscuraError {
        ObscuraError(.recording, .notRecoverable, subject: path, reason: "there is no such file", errno: ENOENT)
    }

    static func nothingRecorded(_ path: String) -> ObscuraError {
        ObscuraError(
            .recording, .notRecoverable, subject: path, reason: "nothing was recorded in it", advice: "Delete it.")
    }

    static func tooSmallLimit(_ path: String, _ limit: Int64, needed: Int64) -> ObscuraError {
        .invalidSettings(
            .recording, path, "its limit of \(limit) bytes has no room for the first picture or sound",
            "Allow \(needed) bytes at least.")
    }
}
