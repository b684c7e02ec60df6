// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
import Glibc

/// Runs `ffmpeg` and `ffprobe`, the makers and the judges of the movies of these tests.
package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The standard output. Throws when the tool says that it failed.
    @discardableResult
    package static func run(_ name: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let (output, errors) = (Pipe(), FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw Failure(description: "\(name) \(arguments.joined(separator: " ")): \(words)")
        }
        return data
    }
}
