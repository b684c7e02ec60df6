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
            .recording, .notRecoverable, subject: path, reason: "nothing was recorded in it",
            advice: "Delete this file.")
    }

    static func tooSmallLimit(_ path: String, _ limit: Int64, needed: Int64) -> ObscuraError {
        .invalidSettings(
            .recording, path, "a maximum file size of \(limit) bytes is too small for the first frame or audio packet",
            "Allow at least \(needed) bytes.")
    }
}
