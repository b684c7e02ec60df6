// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import HTTPTypes
package import Hummingbird
package import NIOCore
internal import ObscuraMedia

extension Response {
    /// Creates a response with a value as JSON.
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try JSONEncoder.api.encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Creates an error response.
    package static func error(_ status: HTTPResponse.Status, _ error: APIError) -> Response {
        guard let response = try? json(error, status: status) else { return Response(status: status) }
        return response
    }
}

extension Request {
    /// Decodes the body from JSON.
    ///
    /// - Throws: ``RequestFailure`` if the body is too large, not JSON or not such a value; it then names the invalid
    ///   part.
    package func decode<Value: Decodable>(
        _ type: Value.Type, limits: RequestLimits = RequestLimits()
    ) async throws -> Value {
        // A page of another site can send a JSON body only with a different content type.
        let mediaType = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard mediaType == "application/json" else { throw RequestFailure.notJSON }
        let body = try await collect(upTo: limits.jsonBytes)
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw RequestFailure(error)
        }
    }

    /// Reads the whole body if it does not exceed `limit`. A body whose `Content-Length` exceeds it is not read at all.
    package func collect(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw RequestFailure.tooLarge(limit)
        }
        var whole = ByteBuffer()
        for try await part in body {
            guard whole.readableBytes + part.readableBytes <= limit else { throw RequestFailure.tooLarge(limit) }
            whole.writeImmutableBuffer(part)
        }
        return whole
    }
}
