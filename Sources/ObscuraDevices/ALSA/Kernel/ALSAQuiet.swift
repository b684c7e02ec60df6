// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA

/// Calls libasound without its messages on stderr; affects only the calling thread.
func quietly<R>(_ body: () -> R) -> R {
    let before = obscuraBeQuiet()
    defer { obscuraSpeak(before) }
    return body()
}
