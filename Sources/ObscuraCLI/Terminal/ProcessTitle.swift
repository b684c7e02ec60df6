// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc

/// The command line as `ps` and /proc show it to every user of the system.
enum ProcessTitle {
    /// Whether an argument is a URL with a user name, a password or a query.
    static func mayHoldSecret(_ argument: String) -> Bool {
        guard let scheme = argument.firstRange(of: "://") else { return false }
        return argument[scheme.upperBound...].contains { $0 == "@" || $0 == "?" }
    }

    /// Replaces each secret with `x`. The secrets were visible until this call; to avoid that, pass them on
    /// standard input.
    static func conceal(_ secrets: [String]) {
        guard let start = argumentStart, let memory = FileManager.default.contents(atPath: "/proc/self/cmdline") else {
            return
        }
        let line = [UInt8](memory)
        // The process's own memory as a file (proc(5)): only these characters are overwritten.
        let file = open("/proc/self/mem", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        for secret in secrets.map({ Array($0.utf8) }) where !secret.isEmpty && secret.count <= line.count {
            for offset in 0...(line.count - secret.count) where line[offset...].starts(with: secret) {
                let cover = [UInt8](repeating: UInt8(ascii: "x"), count: secret.count)
                _ = pwrite(file, cover, cover.count, off_t(start + offset))
            }
        }
    }

    /// The address of the arguments in memory: `arg_start`, the 48th field of /proc/self/stat (proc(5)).
    private static var argumentStart: Int? {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The second field is the program's name in parentheses, which may contain any
            // character.
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        return fields.count > 45 ? Int(fields[45]) : nil
    }
}
