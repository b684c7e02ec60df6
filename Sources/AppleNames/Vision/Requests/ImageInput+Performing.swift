// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension ImageInput {
    /// Performs requests, one after the other.
    ///
    /// - Throws: an `NSError` of the domain ``VNErrorDomain``: that of the first request that failed, when all requests
    ///   have ended.
    func perform(_ requests: [VNRequest]) throws {
        let image = Result { () throws(VisionError) in try upright() }
        let failures = requests.compactMap { $0.perform(on: image) }
        if let failure = failures.first { throw failure }
    }
}
