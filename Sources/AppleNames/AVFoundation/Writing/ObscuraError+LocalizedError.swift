// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Foundation
public import Obscura

/// Makes `error.localizedDescription` of the errors of this module the message of the engine.
extension ObscuraError: LocalizedError {
    /// The failed operation, its cause and a remedy, in English.
    public var errorDescription: String? { description }
}
