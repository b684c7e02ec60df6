// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
import Glibc

/// Runs other programs, such as `ffmpeg` and `ffprobe`, the makers and the judges of the movies of these tests.
package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// What came of a command.
    package struct Outcome {
        /// Its exit code, or 128 and the number of the signal that ended it.
        package let code: Int32
        package let output: Data
        package let errors: String
    }

    /// The path of a program of this package, which is built into the folder of the tests.
    package static func product(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        let folders = [tests, bundle].map { ($0 as NSString).deletingLastPathComponent }
        let paths = folders.map { "\($0)/\(name)" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) } ?? paths[0]
    }

    /// The standard output. Throws when the tool says that it failed.
    @discardableResult
    package static func run(_ name: String, _ arguments: [String]) throws -> Data {
        let outcome = try spawn([name] + arguments)
        guard outcome.code == 0 else {
            throw Failure(description: "\(name) \(arguments.joined(separator: " ")): \(outcome.errors)")
        }
        return outcome.output
    }

    /// Runs a command to its end, whatever that is. Blocks.
    ///
    /// By `posix_spawn` and `waitpid`: Foundation's `Process` once missed the end of its child beside the
    /// exit tests of the same run, and waited for ever; and it leaks.
    package static func spawn(_ command: [String]) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory
        let output = folder.appending(path: UUID().uuidString)
        let errors = folder.appending(path: UUID().uuidString)
        defer {
            try? FileManager.default.removeItem(at: output)
            try? FileManager.default.removeItem(at: errors)
        }
        let status = try spawn(command, output: output.path, errors: errors.path)
        let signal = status & 0x7f
        return Outcome(
            code: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: Data(try bytes(of: output.path)),
            errors: String(decoding: try bytes(of: errors.path), as: UTF8.self))
    }

    /// A whole file. (Foundation's `Data(contentsOf:)` leaks when the file is empty.)
    private static func bytes(of path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Failure(description: "\(path) cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }

    /// The wait status of the command; 0 when it succeeded.
    private static func spawn(_ command: [String], output: String, errors: String) throws -> Int32 {
        let child = try start(command, output: output, errors: errors)
        guard let status = wait(for: child) else {
            throw Failure(description: "\(command[0]): it was waited for by others")
        }
        return status
    }

    /// Starts the command; what it writes goes to these files.
    static func start(_ command: [String], output: String, errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, create, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawnp(&child, command[0], &actions, nil, &words, environ)
        guard code == 0 else { throw Failure(description: "\(command[0]): \(String(cString: strerror(code)))") }
        return child
    }

    /// The wait status of a child that has ended or will end; nil if it is no child of ours any more.
    static func wait(for child: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status
    }
}
