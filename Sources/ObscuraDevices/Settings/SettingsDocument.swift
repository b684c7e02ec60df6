// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The tables and values of a text of TOML, and where in the text they stand.
struct SettingsDocument {
    struct Entry: Hashable {
        /// The names from the outermost table to the value.
        let path: [String]
        let value: SettingsScanner.Value
        /// The bytes of the value.
        let range: Range<Int>
        /// Whether it stands on lines of its own, and in no table in braces.
        let isOnOwnLines: Bool
    }

    private(set) var entries: [Entry] = []
    /// The tables with a line of their own, and the end of that line.
    private(set) var headers: [(path: [String], end: Int)] = []
    /// Tables of which there may be several.
    private(set) var arrays: Set<[String]> = []
    private var values: Set<[String]> = []
    private var tables: Set<[String]> = []
    private var opened: Set<[String]> = []
    /// Deeper than this nobody writes, and a broken file may nest more than the stack holds.
    private static let mostLevels = 32

    init(_ bytes: [UInt8]) throws(SettingsScanner.Failure) {
        var scanner = SettingsScanner(bytes)
        _ = scanner.take("\u{feff}")
        var table: [String] = []
        while true {
            try scanner.skipBlank()
            guard let next = scanner.next else { return }
            if next == UInt8(ascii: "[") {
                table = try header(&scanner)
            } else {
                try entry(&scanner, in: table, level: 0)
                try scanner.endLine()
            }
        }
    }

    private mutating func header(_ scanner: inout SettingsScanner) throws(SettingsScanner.Failure) -> [String] {
        let start = scanner
        let isArray = scanner.take("[[")
        if !isArray { _ = scanner.take("[") }
        var path = try scanner.key()
        if isArray {
            try scanner.expect("]]", "behind the name of a table")
            arrays.insert(path)
            // Each is a table of its own.
            path.append("#\(headers.count)")
        } else {
            try scanner.expect("]", "behind the name of a table")
        }
        try scanner.endLine()
        try claim(path, start)
        tables.insert(path)
        guard opened.insert(path).inserted else { throw start.failure("the table is there twice") }
        headers.append((path, scanner.position))
        return path
    }

    private mutating func entry(
        _ scanner: inout SettingsScanner, in table: [String], level: Int
    ) throws(SettingsScanner.Failure) {
        let start = scanner
        let path = table + (try scanner.key())
        try scanner.expect("=", "behind a name")
        scanner.skipSpaces()
        let begin = scanner.position
        guard scanner.take("{") else {
            let value = try value(&scanner, level: level)
            try claim(path, start)
            guard !tables.contains(path) else { throw start.failure("the name is there twice") }
            values.insert(path)
            let range = begin..<scanner.position
            entries.append(Entry(path: path, value: value, range: range, isOnOwnLines: level == 0))
            return
        }
        try claim(path, start)
        guard !tables.contains(path) else { throw start.failure("the table is there twice") }
        tables.insert(path)
        try braces(&scanner, in: path, level: level + 1)
    }

    /// The rest of a table in braces.
    private mutating func braces(
        _ scanner: inout SettingsScanner, in path: [String], level: Int
    ) throws(SettingsScanner.Failure) {
        guard level < Self.mostLevels else { throw scanner.failure("it is nested too deep") }
        scanner.skipSpaces()
        if scanner.take("}") { return }
        repeat {
            try entry(&scanner, in: path, level: level)
            scanner.skipSpaces()
        } while scanner.take(",")
        try scanner.expect("}", "at the end of a table")
    }

    private mutating func value(
        _ scanner: inout SettingsScanner, level: Int
    ) throws(SettingsScanner.Failure) -> SettingsScanner.Value {
        guard scanner.take("[") else { return try scanner.plainValue() }
        guard level < Self.mostLevels else { throw scanner.failure("it is nested too deep") }
        repeat {
            try scanner.skipBlank()
            if scanner.next == UInt8(ascii: "]") { break }
            if scanner.take("{") {
                // Nothing in an array is a setting; the name cannot be written in a file.
                try braces(&scanner, in: ["\u{0}\(scanner.position)"], level: level + 1)
            } else {
                _ = try value(&scanner, level: level + 1)
            }
            try scanner.skipBlank()
        } while scanner.take(",")
        try scanner.expect("]", "at the end of an array")
        return .other
    }

    /// Every table above `path` is one, and `path` itself is no value yet.
    private mutating func claim(_ path: [String], _ start: SettingsScanner) throws(SettingsScanner.Failure) {
        guard path.count <= Self.mostLevels else { throw start.failure("it is nested too deep") }
        for length in 1...path.count where values.contains(Array(path.prefix(length))) {
            throw start.failure(length == path.count ? "the name is there twice" : "a value is no table")
        }
        for length in 1..<max(1, path.count) { tables.insert(Array(path.prefix(length))) }
    }
}
