// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

/// The fuzzers' targets with few inputs, which are always the same. `scripts/fuzz` runs them for as long as wanted, guided
/// by coverage.
@Suite struct FuzzTests {
    /// The number of inputs; 3000 for a target that is not listed.
    private static let rounds = ["library": 150, "movie": 150, "still": 300]
    /// The folder of `scripts/fuzz` for inputs that violate a condition.
    private static let findings = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/fuzz/findings").standardizedFileURL

    @Test(
        .enabled("ffmpeg is not installed") { FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") },
        .hangLimit, arguments: FuzzTarget.all.keys.sorted())
    func `Damaged inputs violate no condition`(name: String) async throws {
        let rounds = Self.rounds[name] ?? 3000
        // In memory, if the temporary files are: each is synchronized, which takes a disk milliseconds.
        let current = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(name)-\(UUID())").path
        let failing = Self.findings.appending(path: "\(name)-test").path
        await #expect(processExitsWith: .success, "the input is \(failing)") {
            [name = name as String, rounds = rounds as Int, current = current as String] in
            let target = try #require(FuzzTarget.all[name])
            let seeds = try target.seeds.map { try $0.bytes() }
            // Damage to an input that is rejected anyway would test little.
            for (index, seed) in seeds.enumerated() { #expect(target.run(seed), "seed \(index) is rejected") }
            var inputs = DamagedInputs(seeds)
            var rejected = 0
            for _ in 0..<rounds {
                let input = inputs.next()
                try Data(input).write(to: URL(filePath: current))
                if !target.run(input) { rejected += 1 }
            }
            #expect(rejected > 0, "no change was noticed")
            try FileManager.default.removeItem(atPath: current)
        }
        // Still there if the process ended early.
        guard FileManager.default.fileExists(atPath: current) else { return }
        try FileManager.default.createDirectory(at: Self.findings, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: failing)
        try FileManager.default.moveItem(atPath: current, toPath: failing)
    }
}
