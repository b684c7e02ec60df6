// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import FoundationEssentials
internal import Glibc

/// A handler of SIGINT (Ctrl-C), SIGTERM and SIGHUP: the first signal requests an orderly stop, the second one
/// ends the process immediately. Signals that the parent process ignores (nohup) stay ignored.
///
/// No signal is lost after `init` has returned. Dispatch's own signal sources do not guarantee that: they
/// install their handlers later, on another thread, and an earlier signal is lost. At most one instance at a
/// time in a process.
struct Interruption {
    /// Reads the signal numbers from a pipe; nil if no pipe could be created. Then signals end the process.
    private let source: (any DispatchSourceRead)?
    private let watch: Task<Int32?, Never>
    /// The previous actions of the signals.
    private let before: [(number: Int32, action: sigaction)]

    /// Runs an operation in a task that the first signal cancels. The operation begins when signals are
    /// handled: otherwise a signal could end the process after the operation has already announced that it
    /// runs.
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

    /// Stops handling signals, and returns the exit code if the process was interrupted.
    func exitCode() async -> Int32? {
        // Follows all pending signals in the pipe.
        if source != nil { passOn(0) }
        let number = await watch.value
        for (number, action) in before {
            var action = action
            sigaction(number, &action, nil)
        }
        source?.cancel()
        return number.map(Self.exitCode)
    }

    /// Opens the pipe to which ``passOn`` writes.
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

    /// Whether the parent process has set a signal to be ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigIgn:") }),
            let mask = UInt64(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16)
        else { return false }
        return mask & 1 << UInt64(number - 1) != 0
    }

    /// Returns the exit code by the shell's convention: 130 for Ctrl-C, 129 for a closed terminal.
    private static func exitCode(_ number: Int32) -> Int32 { 128 + number }
}

/// The write end of the pipe. Set before the handler that reads it is installed. The runtime must not check the
/// access: its checks are not signal-safe.
@exclusivity(unchecked) private nonisolated(unsafe) var signalPipe: Int32 = -1

/// Writes a signal's number into the pipe and does nothing else: few functions may be called in a signal
/// handler (signal-safety(7)).
private let passOn: @convention(c) (Int32) -> Void = { number in
    var number = number
    let saved = errno
    _ = write(signalPipe, &number, MemoryLayout<Int32>.size)
    errno = saved
}
