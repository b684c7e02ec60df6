// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A fetch result, for its identifiers without its objects.
protocol AssetList {
    var paths: [String] { get }
}

extension PHFetchResult: AssetList {
    var paths: [String] { entries.map(\.path) }
}
