// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Hummingbird

/// An object in the body of a request, with its own properties only. A misspelled property is an error instead of having no effect.
package protocol RequestObject: Decodable, Sendable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

extension Request {
    /// Decodes the body from JSON.
    ///
    /// - Throws: ``RequestFailure`` as ``decode(_:limits:)``, also if the object has a property that `Value` does not have.
    package func object<Value: RequestObject>(_ type: Value.Type) async throws -> Value {
        try await decode(KnownProperties<Value>.self).body
    }
}

/// A body without other properties than its own.
private struct KnownProperties<Body: RequestObject>: Decodable {
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let body: Body

    init(from decoder: any Decoder) throws {
        let known = Body.CodingKeys.allCases.map(\.stringValue)
        let keys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let unknown = keys.sorted().first(where: { !known.contains($0) }) {
            throw RequestFailure(unknownProperty: unknown, known: known)
        }
        body = try Body(from: decoder)
    }
}
