// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA

/// Calls libasound while it tells nothing to stderr; on the calling thread alone.
func quietly<R>(_ body: () -> R) -> R {
    let before = obscuraBeQuiet()
    defer { obscuraSpeak(before) }
    return body()
}
