// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import COpenCV
internal import ObscuraMedia

/// What OpenCV says when something fails.
enum OpenCVWords {
    /// What `body` returns, and what it said.
    static func with<R>(_ body: (UnsafeMutablePointer<CChar>) -> R) -> (R, words: String) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: OCVWordsCapacity) { words in
            words.initialize(repeating: 0)
            guard let base = words.baseAddress else {
                preconditionFailure("an allocation of some bytes has an address")
            }
            let result = body(base)
            return (result, String(cString: base))
        }
    }

    /// Runs `body`, and throws if it failed.
    static func check(_ body: (UnsafeMutablePointer<CChar>) -> OCVStatus) throws(ObscuraError) {
        let (status, words) = with(body)
        guard status == .done else { throw .searchFailed(words) }
    }

    /// Which OpenCV this was built with, such as 4.6.0.
    static var version: String { String(cString: OCVVersion()) }
}

#endif
