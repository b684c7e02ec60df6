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
        precondition(AddressMask.masked(masked) == masked, "what is masked is masked")
        if let location = try? MovieLocation(text) { _ = location.description }
        _ = CertificateFingerprint(text)
        // The same letters may also stand where they are no secret.
        guard let target = try? BroadcastTarget(text), let password = NetworkAddress(text)?.password,
            password.utf8.count > 8, text.ranges(of: password).count == 1
        else { return }
        precondition(!target.name.contains(password), "a password is shown")
    }

    /// Lists of segments, and the names of their files.
    static let hls = text { text in
        if let list = SegmentList(text) {
            precondition(list.count >= 0 && list.first >= 0 && list.last >= list.first - 1)
            precondition(list.targetDuration > .zero && list.targetDuration <= .seconds(60))
            _ = list.reaches(list.last)
            precondition(SegmentList(list.servedText)?.count == list.count, "what is served is another list")
        }
        if let name = HLSName(text) { precondition(name.text == text && !text.contains("/")) }
    }

    /// The first line of a request, and the headers for parts of files; one a line.
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
