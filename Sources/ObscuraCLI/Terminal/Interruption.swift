// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import FoundationEssentials
internal import Glibc

/// Ctrl-C, the wish to terminate, and a terminal that is closed: the first one is an orderly end, the second one ends
/// at once. Who has the end of the terminal ignored (nohup) goes on.
struct Interruption {
    private let sources: [any DispatchSourceSignal]
    private let watch: Task<Int32?, Never>
    private let finish: @Sendable () -> Void

    /// - Parameter onFirst: called once, on any thread.
    init(onFirst: @escaping @Sendable () -> Void) {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(2))
        let numbers = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
        sources = numbers.map { number in
            // Else the system ends the process before the source is asked.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
        watch = Task {
            var first: Int32?
            for await number in signals {
                if first != nil { _exit(Self.exitCode(number)) }
                first = number
                onFirst()
            }
            return first
        }
        finish = { continuation.finish() }
    }

    /// Ends the watch, and gives the code with which the process ends if it was interrupted.
    func exitCode() async -> Int32? {
        finish()
        let number = await watch.value
        for source in sources { source.cancel() }
        return number.map(Self.exitCode)
    }

    /// Whether whoever started this process had it ignore a signal.
    private static func isIgnored(_ number: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigIgn:") }),
            let mask = UInt64(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16)
        else { return false }
        return mask & 1 << UInt64(number - 1) != 0
    }

    /// As a shell counts it: 130 for Ctrl-C, 129 for a closed terminal.
    private static func exitCode(_ number: Int32) -> Int32 { 128 + number }
}
