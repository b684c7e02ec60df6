// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import Glibc

/// Ctrl-C and the wish to terminate: the first one is an orderly end, the second one ends at once.
struct Interruption {
    private let sources: [any DispatchSourceSignal]
    private let watch: Task<Int32?, Never>
    private let finish: @Sendable () -> Void

    /// - Parameter onFirst: called once, on any thread.
    init(onFirst: @escaping @Sendable () -> Void) {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(2))
        sources = [SIGINT, SIGTERM].map { number in
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

    /// As a shell counts it: 130 for Ctrl-C.
    private static func exitCode(_ number: Int32) -> Int32 { 128 + number }
}
