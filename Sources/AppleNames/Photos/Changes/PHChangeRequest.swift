// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A request in a block of `performChanges`.
public class PHChangeRequest: NSObject, @unchecked Sendable {  // With subclasses: constants and locks.
    /// The library to change.
    let store = ChangeRecorder.store

    override init() {}
}
