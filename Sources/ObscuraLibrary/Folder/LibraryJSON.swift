// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import ObscuraMedia

/// The form of all JSON files of a library.
enum LibraryJSON {
    /// - Parameter name: the name of the file, for errors.
    static func encode(_ value: some Encodable, to name: String) throws(ObscuraError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
        } catch {
            throw ObscuraError(wrapping: error, as: .library, .writingFailed, subject: name)
        }
    }

    /// Decodes a value; nil if the bytes are damaged.
    static func decode<Value: Decodable>(_: Value.Type, _ bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }
}
