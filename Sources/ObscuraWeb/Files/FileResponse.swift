// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import HTTPTypes
package import Hummingbird
internal import NIOCore
internal import NIOPosix
package import ObscuraBase

/// Answers with an open file or a part of it.
///
/// Hummingbird's `FileMiddleware` takes names, not open files, and knows neither the ends of files (`bytes=-500`) nor
/// lists of tags, nor the names of downloads.
package enum FileResponse {
    /// Enough that a disk reads in one go, and little enough to be held for each viewer.
    private static let chunk = 256 * 1024

    /// - Parameters:
    ///   - contentType: such as "image/jpeg".
    ///   - download: the name under which the browser is to save it; nil to show it.
    ///   - cacheControl: how long others may keep it. Unless given it is private, and asked for again each time; the
    ///     tag spares the bytes.
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
        // A part is of use only beside parts of the same version; a date names one only exactly.
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

    /// Whether the client has this version already.
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
                // The file became shorter. The length is promised already: only a broken connection says that.
                guard !bytes.isEmpty else { throw CutShort() }
                offset += Int64(bytes.count)
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
    }

    private struct CutShort: Error {}
}
