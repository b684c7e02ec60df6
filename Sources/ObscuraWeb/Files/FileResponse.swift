// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import Hummingbird
internal import NIOCore
internal import NIOPosix
package import ObscuraBase

/// Creates responses with an open file or a part of it.
///
/// Hummingbird's `FileMiddleware` accepts names instead of open files, and supports neither suffix ranges
/// (`bytes=-500`) nor lists of tags nor names for downloads.
package enum FileResponse {
    /// Large enough for efficient disk access, and small enough to hold in memory for each client.
    private static let chunk = 256 * 1024

    /// - Parameters:
    ///   - contentType: the content type, such as "image/jpeg".
    ///   - download: the name under which the browser saves the file; nil displays it.
    ///   - cacheControl: the caching policy. By default private, with revalidation for each request; the tag then
    ///     avoids sending the bytes again.
    package static func make(
        _ file: OpenFile, contentType: String, for request: Request, download: String? = nil,
        cacheControl: String = "private, no-cache"
    ) -> Response {
        let (tag, size) = (EntityTag.of(file), file.status.size)
        let modified = HTTPDate.text(Date(timeIntervalSince1970: Double(file.status.modified) / 1e9))
        var headers: HTTPFields = [
            .contentType: contentType, .acceptRanges: "bytes", .eTag: tag, .lastModified: modified,
            .cacheControl: cacheControl,
        ]
        if let download { headers[.contentDisposition] = ContentDisposition.attachment(download) }

        if isKnown(tag, modified, request.headers) { return Response(status: .notModified, headers: headers) }
        // A part is usable only with other parts of the same version. A date identifies a version only if it is equal.
        let isPartMeant = request.method == .get && [nil, tag, modified].contains(request.headers[.ifRange])
        switch ByteRange(isPartMeant ? request.headers[.range] : nil, size: size) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(file, 0..<size))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return Response(status: .partialContent, headers: headers, body: body(file, range))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(size)"
            headers[.contentType] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    /// Whether the client already has this version.
    private static func isKnown(_ tag: String, _ modified: String, _ headers: HTTPFields) -> Bool {
        if let tags = headers[.ifNoneMatch] { return EntityTag.isNamed(tag, in: tags) }
        guard let since = headers[.ifModifiedSince].flatMap(HTTPDate.date), let date = HTTPDate.date(modified) else {
            return false
        }
        return date <= since
    }

    private static func body(_ file: OpenFile, _ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let (start, count) = (offset, Int(min(Int64(chunk), range.upperBound - offset)))
                let bytes = try await NIOThreadPool.singleton.runIfActive { try file.read(at: start, count: count) }
                // The file was truncated. Its length was already sent, so that only a lost connection can report the
                // error.
                guard !bytes.isEmpty else { throw CutShort() }
                offset += Int64(bytes.count)
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
    }

    private struct CutShort: Error {}
}
