// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

@testable import ObscuraBase
@testable import ObscuraBroadcast
@testable import ObscuraHLS
@testable import ObscuraMovies
@testable import ObscuraWeb

extension FuzzTarget {
    /// Addresses of cameras and of broadcasts.
    static let addresses = text { text in
        let masked = AddressMask.masked(text)
        precondition(AddressMask.masked(masked) == masked, "masking a masked address changes it")
        if let location = try? MovieLocation(text) { _ = location.description }
        _ = CertificateFingerprint(text)
        // A password that also occurs elsewhere in the address may be shown there.
        guard let target = try? BroadcastTarget(text), let password = NetworkAddress(text)?.password,
            password.utf8.count > 8, text.ranges(of: password).count == 1
        else { return }
        precondition(!target.name.contains(password), "the name contains the password")
    }

    /// Media playlists, and the names of the files of HLS.
    static let hls = text { text in
        if let list = SegmentList(text) {
            precondition(list.count >= 0 && list.first >= 0 && list.last >= list.first - 1)
            precondition(list.targetDuration > .zero && list.targetDuration <= .seconds(60))
            _ = list.reaches(list.last)
            precondition(SegmentList(list.servedText)?.count == list.count, "the served playlist has other segments")
        }
        if let name = HLSName(text) { precondition(name.text == text && !text.contains("/")) }
    }

    /// The first line of a request; on the second line, the value of a header for byte ranges or entity tags.
    static let http = text { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let target = try? RequestTarget(lines[0]) {
            precondition(target.path.hasPrefix("/") && !target.path.split(separator: "/").contains(".."))
            _ = target.values(of: "_HLS_msn")
        }
        guard lines.count > 1 else { return }
        for size in [0, 1, 1000, Int64.max] {
            guard case .part(let range) = ByteRange(lines[1], size: size) else { continue }
            precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
        }
        _ = EntityTag.isNamed("\"a-1\"", in: lines[1])
    }
}
