// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

/// The tool as its users run it: the binary, as a process, with a limit of time.
struct Tool {
    struct Outcome {
        let code: Int32
        let output: [UInt8]
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    static let path = TestSupport.Tool.product("obscura")

    /// The tool ends while threads of it still let go of things. Of an object that is alive and has weak
    /// references, Swift keeps the table under a shifted address, which the leak checker takes for lost; leaks are
    /// looked for in the process of the tests, where everything has gone.
    private static let environment = ["OBSCURA": path, "ASAN_OPTIONS": "halt_on_error=1:detect_leaks=0"]

    let folder: TemporaryFolder

    /// Runs `obscura` with these arguments in the folder.
    func callAsFunction(_ arguments: String...) async throws -> Outcome {
        try await self(arguments)
    }

    func callAsFunction(_ arguments: [String]) async throws -> Outcome {
        try await Self.run([Self.path] + arguments, in: folder)
    }

    /// Runs a line of bash in the folder; `$OBSCURA` is the tool.
    func shell(_ line: String) async throws -> Outcome {
        try await Self.run(["/bin/bash", "-c", "set -o pipefail; " + line], in: folder)
    }

    /// Ends a process that takes longer than a minute; its code is then 124 or 137.
    static func run(_ command: [String], in folder: TemporaryFolder) async throws -> Outcome {
        let settings = environment.map { "\($0.key)=\($0.value)" }
        let whole =
            ["/usr/bin/env", "--chdir=\(folder.path)"] + settings + ["timeout", "--kill-after=5", "60"] + command
        let outcome = try await onThread { Result { try TestSupport.Tool.spawn(whole) } }.get()
        return Outcome(code: outcome.code, output: [UInt8](outcome.output), errors: outcome.errors)
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs `ffmpeg` and `ffprobe` to make and read films.
    static var needsFFmpeg: Self {
        .enabled("ffmpeg and ffprobe are not installed") {
            ["ffmpeg", "ffprobe"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }
        }
    }
}
