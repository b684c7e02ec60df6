// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The result for a waiting task; the first one given is used.
final class PhotoResult: Sendable {
    typealias Outcome = Result<KeptFrame, ObscuraError>

    private let continuation = Lock<CheckedContinuation<Outcome, Never>?>(nil)

    func ask(_ asking: CheckedContinuation<Outcome, Never>) {
        continuation.withLock { $0 = asking }
    }

    func give(_ outcome: Outcome) {
        let asking = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        asking?.resume(returning: outcome)
    }
}
