// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraMedia

/// The error messages of OpenCV.
enum OpenCVMessage {
    /// Returns the result of `body`, and its error message.
    static func with<R>(_ body: (UnsafeMutablePointer<CChar>) -> R) -> (R, message: String) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: OCVWordsCapacity) { message in
            message.initialize(repeating: 0)
            guard let base = message.baseAddress else {
                preconditionFailure("an allocation of some bytes has an address")
            }
            let result = body(base)
            return (result, String(cString: base))
        }
    }

    /// Runs `body`, and throws if it failed.
    static func check(_ body: (UnsafeMutablePointer<CChar>) -> OCVStatus) throws(ObscuraError) {
        let (status, message) = with(body)
        guard status == .done else { throw .searchFailed(message) }
    }
}
