// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import Obscura
internal import ObscuraBase

/// The terminal, or the files and pipes that standard output and error are redirected to.
enum Terminal {
    /// Whether standard error is a terminal.
    static var isErrorShown: Bool { isatty(STDERR_FILENO) == 1 }
    /// Whether standard output is a terminal.
    static var isOutputShown: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal: the value of `COLUMNS`, else the width that the terminal reports, else
    /// 80.
    static var width: Int {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Ignores SIGPIPE: writing to a pipe without a reader is an error, instead of ending the process.
    static func surviveClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Makes Ctrl-\ (SIGQUIT) end the process immediately. By default Swift would print a backtrace first,
    /// which takes many seconds.
    static func endAtOnceByQuit() {
        signal(SIGQUIT, SIG_DFL)
    }

    /// The error of the first write to standard output that failed, such as on a full disk; nil if all succeeded, or if
    /// only the reader of a pipe has ended, such as `head`.
    static var outputFailure: SystemError? { firstFailure.withLock(\.self) }

    private static let firstFailure = Lock<SystemError?>(nil)

    /// Writes to standard output. Returns false if that failed: endless commands stop when their output has
    /// no reader. The tool reports ``outputFailure`` when it ends.
    ///
    /// Output to another program is unchanged; on a terminal it is filtered by ``PlainText``.
    @discardableResult
    static func write(_ text: String) -> Bool {
        guard let error = write(isOutputShown ? PlainText.make(text) : text, to: STDOUT_FILENO) else { return true }
        if error.number != EPIPE { firstFailure.withLock { $0 = $0 ?? error } }
        return false
    }

    /// Writes to standard error, without a line end.
    static func note(_ text: String) {
        write(PlainText.make(text), to: STDERR_FILENO)
    }

    /// Redraws the last line of the terminal, without a line end.
    static func redraw(_ line: String = "") {
        write("\r\(PlainText.make(line).replacing("\n", with: " "))\u{1B}[K", to: STDERR_FILENO)
    }

    /// Prints an error to standard error, with the remedy in the terms of the command line.
    static func complain(_ error: ObscuraError) {
        complain(error.commandText)
    }

    /// Prints an error to standard error.
    static func complain(_ sentence: String) {
        note("obscura: \(sentence)\n")
    }

    /// Returns the error; nil if everything was written.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> SystemError? {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Another program, which has the same pipe or terminal open, has set it to non-blocking mode.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
                continue
            }
            guard count > 0 else { return .last }
            rest.removeFirst(count)
        }
        return nil
    }
}
