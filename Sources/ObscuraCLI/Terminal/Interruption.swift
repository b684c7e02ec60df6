// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import FoundationEssentials
internal import Glibc

/// Ctrl-C, the wish to terminate, and a terminal that is closed: the first one is an orderly end, the second one ends
/// at once. Who has the end of the terminal ignored (nohup) goes on.
///
/// No signal is lost from the moment when `init` returns. Dispatch's own sources do not promise that: they install
/// their handlers later, on another thread, and a signal that comes before is gone. One at a time in a process.
struct Interruption {
    /// Reads the numbers of the signals from a pipe; nil if the system has none left. Then they end the process.
    private let source: (any DispatchSourceRead)?
    private let watch: Task<Int32?, Never>
    /// What the signals did before.
    private let before: [(number: Int32, action: sigaction)]

    /// Runs an operation in a task that the first signal cancels. The operation begins when signals are handled: otherwise
    /// a signal could end the process after the operation has already announced that it runs.
    ///
    /// - Returns: the result of the operation, and the exit code of an interrupted process.
    static func cancelling<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) async -> (result: Result<Success, any Error>, exitCode: Int32?) {
        let (handled, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            for await _ in handled {}
            return try await operation()
        }
        let interruption = Interruption { task.cancel() }
        continuation.finish()
        return (await task.result, await interruption.exitCode())
    }

    /// - Parameter onFirst: called once, on any thread.
    init(onFirst: @escaping @Sendable () -> Void) {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(2))
        watch = Task {
            var first: Int32?
            for await number in signals {
                if first != nil { _exit(Self.exitCode(number)) }
                first = number
                onFirst()
            }
            return first
        }
        source = Self.makeSource { number in
            if number == 0 { continuation.finish() } else { continuation.yield(number) }
        }
        guard source != nil else {
            continuation.finish()
            before = []
            return
        }
        before = ([SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])).map { number in
            var (action, old) = (sigaction(), sigaction())
            action.__sigaction_handler.sa_handler = passOn
            action.sa_flags = SA_RESTART
            sigaction(number, &action, &old)
            return (number, old)
        }
    }

    /// Ends the watch, and gives the code with which the process ends if it was interrupted.
    func exitCode() async -> Int32? {
        // Behind all signals that have come.
        if source != nil { passOn(0) }
        let number = await watch.value
        for (number, action) in before {
            var action = action
            sigaction(number, &action, nil)
        }
        source?.cancel()
        return number.map(Self.exitCode)
    }

    /// Opens the pipe into which ``passOn`` writes.
    private static func makeSource(_ handler: @escaping @Sendable (Int32) -> Void) -> (any DispatchSourceRead)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (reading, writing) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: DispatchQueue(label: "signals"))
        source.setEventHandler {
            var number: Int32 = 0
            if read(reading, &number, MemoryLayout<Int32>.size) == MemoryLayout<Int32>.size { handler(number) }
        }
        source.setCancelHandler {
            close(reading)
            close(writing)
        }
        source.resume()
        signalPipe = writing
        return source
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

/// The pipe's writing end. It is set before the handler is installed that reads it. The runtime does not check the
/// access: its checks are not made for signal handlers.
@exclusivity(unchecked) private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Writes a signal's number into the pipe and does nothing else: little may be called in a signal handler
/// (signal-safety(7)).
private let passOn: @convention(c) (Int32) -> Void = { number in
    var number = number
    let saved = errno
    _ = write(signalPipe, &number, MemoryLayout<Int32>.size)
    errno = saved
}
