// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A parser of untrusted input, and the conditions that its results must meet for every input.
struct FuzzTarget: Sendable {
    /// Parses an input; traps if a condition does not hold.
    let run: @Sendable ([UInt8]) -> Void

    /// Creates a target that parses text.
    static func text(_ run: @escaping @Sendable (String) -> Void) -> FuzzTarget {
        FuzzTarget { run(String(decoding: $0, as: UTF8.self)) }
    }

    /// All targets, with their names on the command line.
    static let all: [String: FuzzTarget] = [
        "addresses": addresses, "cube": cube, "exif": exif, "hls": hls, "http": http, "movie": movie, "recipe": recipe,
        "sample-tables": sampleTables, "settings": settings, "still": still, "xmp": xmp,
    ]
}
