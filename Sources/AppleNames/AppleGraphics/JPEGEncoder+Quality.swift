// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

extension JPEGEncoder {
    /// Converts a quality from 0 to 1 into percent, from 1 to 100.
    package static func quality(of share: Double) -> Int {
        share.isNaN ? 90 : Int(min(max(1, (share * 100).rounded()), 100))
    }
}
