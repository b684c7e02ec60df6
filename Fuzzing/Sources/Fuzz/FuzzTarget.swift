// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// A parser of untrusted input, and the conditions that its results must meet for every input.
struct FuzzTarget: Sendable {
    let seeds: [FuzzSeed]
    /// Parses an input; traps if a condition does not hold. Returns whether the parser accepted it.
    let run: @Sendable ([UInt8]) -> Bool

    init(_ seeds: FuzzSeed..., run: @escaping @Sendable ([UInt8]) -> Bool) {
        self.init(seeds: seeds, run: run)
    }

    init(seeds: [FuzzSeed], run: @escaping @Sendable ([UInt8]) -> Bool) {
        self.seeds = seeds
        self.run = run
    }

    /// Creates a target that parses text.
    static func text(_ seeds: String..., run: @escaping @Sendable (String) -> Bool) -> FuzzTarget {
        FuzzTarget(seeds: seeds.map(FuzzSeed.text)) { run(String(decoding: $0, as: UTF8.self)) }
    }

    /// Traps unless the condition holds. (`precondition` prints its message only in debug builds.)
    static func check(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fatalError(message()) }
    }

    /// Calls `body`; traps if the process had more than `mebibytes` more in memory meanwhile than before.
    static func limited<Result>(mebibytes: Int, _ body: () -> Result) -> Result {
        // 5: "reset the peak resident set size to the current value" (proc(5)).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = mebibytesOfProcess("VmRSS:")
        let result = body()
        let growth = mebibytesOfProcess("VmHWM:") - before
        // AddressSanitizer needs an eighth for its shadow, and keeps some memory that was freed (scripts/fuzz).
        check(growth <= mebibytes * 9 / 8 + 32, "the input took \(growth) MiB")
        return result
    }

    private static func mebibytesOfProcess(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) >> 10
    }

    /// All targets, with their names on the command line.
    static let all: [String: FuzzTarget] = [
        "addresses": addresses, "cube": cube, "exif": exif, "hls": hls, "http": http, "library": library,
        "movie": movie, "recipe": recipe, "sample-tables": sampleTables, "settings": settings, "still": still,
        "web-socket": webSocket, "xmp": xmp,
    ]
}
