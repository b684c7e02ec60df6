// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import HTTPTypes
package import Hummingbird
internal import NIOCore
package import NIOPosix

/// Answers with a file or a part of it.
package enum FileResponse {
    /// Enough that a disk reads in one go, and little enough to be held for each viewer.
    private static let chunk = 256 * 1024

    /// - Parameters:
    ///   - download: the name under which the browser is to save it; nil to show it.
    ///   - cacheControl: how long others may keep it. Unless given it is private, and asked for again each time; the
    ///     tag spares the bytes.
    ///   - pool: where it is read.
    package static func make(
        _ source: some ByteSource, for request: Request, download: String? = nil,
        cacheControl: String = "private, no-cache", pool: NIOThreadPool = .singleton
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: source.contentType, .acceptRanges: "bytes", .eTag: source.entityTag,
            .cacheControl: cacheControl,
        ]
        if let modified = source.modified { headers[.lastModified] = HTTPDate.text(modified) }
        if let download { headers[.contentDisposition] = ContentDisposition.attachment(download) }

        if isUnchanged(source, request.headers) { return Response(status: .notModified, headers: headers) }
        let isRangeMeant = request.method == .get && isCurrent(source, ifRange: request.headers[.ifRange])
        switch ByteRange(isRangeMeant ? request.headers[.range] : nil, size: source.size) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(source, 0..<source.size, pool))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(source.size)"
            return Response(status: .partialContent, headers: headers, body: body(source, range, pool))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(source.size)"
            headers[.contentType] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    /// Whether whoever asks has it already.
    package static func isUnchanged(_ source: some ByteSource, _ headers: HTTPFields) -> Bool {
        if let tags = headers[.ifNoneMatch] { return EntityTag.isNamed(source.entityTag, in: tags) }
        guard let text = headers[.ifModifiedSince], let since = HTTPDate.date(text), let modified = source.modified
        else { return false }
        // The header has whole seconds.
        return modified.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
    }

    /// Whether a part of what is here fits to the part that the other side has.
    private static func isCurrent(_ source: some ByteSource, ifRange: String?) -> Bool {
        guard let ifRange else { return true }
        if ifRange.hasPrefix("\"") { return ifRange == source.entityTag }
        // A date is no proof where two versions fall into one second, so that only the very date counts.
        guard let date = HTTPDate.date(ifRange), let modified = source.modified else { return false }
        return HTTPDate.text(modified) == HTTPDate.text(date)
    }

    private static func body(_ source: some ByteSource, _ range: Range<Int64>, _ pool: NIOThreadPool) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let (start, count) = (offset, Int(min(Int64(chunk), range.upperBound - offset)))
                let bytes = try await pool.runIfActive { try source.read(at: start, count: count) }
                // The file became shorter. The length is promised already: only a broken connection says that.
                guard !bytes.isEmpty, bytes.count <= count else { throw CutShort() }
                offset += Int64(bytes.count)
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
    }

    private struct CutShort: Error {}
}
