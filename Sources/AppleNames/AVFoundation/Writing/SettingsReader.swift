// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Reads a dictionary of settings with checked types. Each value is read once; those that remain are not supported.
struct SettingsReader {
    /// The name of the dictionary in messages.
    let subject: String
    private var rest: [String: Any]

    init(_ settings: [String: Any], subject: String) {
        rest = settings
        self.subject = subject
    }

    /// Returns a value of a type that `convert` knows; nil if there is none.
    private mutating func take<Value>(
        _ key: String, _ kind: String, _ convert: (Any) -> Value?
    ) throws(ObscuraError) -> Value? {
        guard let value = rest.removeValue(forKey: key) else { return nil }
        guard let converted = convert(value) else { throw invalid("\(key) must be \(kind), not \(value)") }
        return converted
    }

    mutating func number(_ key: String) throws(ObscuraError) -> Double? {
        try take(key, "a number", SettingValue.number)
    }

    mutating func integer(_ key: String) throws(ObscuraError) -> Int? {
        try take(key, "a whole number", SettingValue.integer)
    }

    mutating func flag(_ key: String) throws(ObscuraError) -> Bool? {
        try take(key, "true or false") { $0 as? Bool ?? ($0 as? NSNumber)?.boolValue }
    }

    /// Returns the text, which can also be the raw value of an enumeration.
    mutating func text(_ key: String) throws(ObscuraError) -> String? {
        try take(key, "a string") { value in
            (value as? AVVideoCodecType)?.rawValue ?? value as? String ?? (value as? NSString).map { $0 as String }
        }
    }

    mutating func dictionary(_ key: String) throws(ObscuraError) -> SettingsReader? {
        try take(key, "a dictionary with strings as keys") { $0 as? [String: Any] }
            .map { SettingsReader($0, subject: key) }
    }

    /// Removes a value that has no meaning here.
    mutating func ignore(_ key: String) { rest[key] = nil }

    /// Throws if there are values that nobody has read.
    func checkIsEmpty() throws(ObscuraError) {
        guard let key = rest.keys.min() else { return }
        throw invalid("\(key) is not supported")
    }

    func invalid(_ reason: String, _ advice: String? = nil) -> ObscuraError {
        .invalidSettings(.recording, subject, reason, advice)
    }
}
