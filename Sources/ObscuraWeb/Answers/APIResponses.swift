// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
package import HTTPTypes
package import Hummingbird
package import NIOCore
internal import ObscuraMedia

extension Response {
    /// A value as JSON.
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try JSONEncoder.api.encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// What a request is answered that fails.
    package static func error(_ status: HTTPResponse.Status, _ error: APIError) -> Response {
        guard let response = try? json(error, status: status) else { return Response(status: status) }
        return response
    }
}

extension Request {
    /// The body as a value.
    ///
    /// - Throws: ``RequestFailure`` if it is too large, no JSON or not that value; it then says which part is wrong.
    package func decode<Value: Decodable>(
        _ type: Value.Type, limits: RequestLimits = RequestLimits()
    ) async throws -> Value {
        // A page of another site can send a body of JSON only under the name of something else.
        let mediaType = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard mediaType == "application/json" else { throw RequestFailure.notJSON }
        let body = try await collect(upTo: limits.jsonBytes)
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw RequestFailure(error)
        }
    }

    /// The whole body, if it is no longer than `limit`; one that says so in its head is not even read.
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

extension JSONEncoder {
    fileprivate static let api: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }()
}
