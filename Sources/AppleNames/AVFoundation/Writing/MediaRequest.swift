// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A block that supplies the samples of an input, and the queue on which it is called.
struct MediaRequest: Sendable {
    let queue: DispatchQueue
    let block: @Sendable () -> Void
}
