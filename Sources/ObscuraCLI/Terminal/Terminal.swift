// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import Obscura

/// The terminal, or what stands in its place.
enum Terminal {
    /// Whether a person sees what goes to standard error.
    static var isErrorShown: Bool { isatty(STDERR_FILENO) == 1 }
    /// Whether a person sees what goes to standard output.
    static var isOutputShown: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal: what the user says in `COLUMNS`, else what the terminal says, else 80.
    static var width: Int {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A pipe whose reader has gone becomes an error of writing, and not the end of the process.
    static func surviveClosedPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Ctrl-\ ends the process at once, as whoever types it wants. Swift would look for the causes of a crash first,
    /// which takes many seconds.
    static func endAtOnceByQuit() {
        signal(SIGQUIT, SIG_DFL)
    }

    /// Writes to standard output. Returns whether it could: whoever goes on for ever ends when nobody reads any more.
    ///
    /// What goes to another program is what was meant, letter for letter; see ``PlainText`` for what a terminal shows.
    @discardableResult
    static func write(_ text: String) -> Bool {
        write(isOutputShown ? PlainText.make(text) : text, to: STDOUT_FILENO)
    }

    /// Writes to standard error, without an end of line.
    static func note(_ text: String) {
        write(PlainText.make(text), to: STDERR_FILENO)
    }

    /// Writes the line at the bottom of the terminal anew, without an end of line.
    static func redraw(_ line: String = "") {
        write("\r\(PlainText.make(line).replacing("\n", with: " "))\u{1B}[K", to: STDERR_FILENO)
    }

    /// Says on standard error what went wrong, and what the user can type then.
    static func complain(_ error: ObscuraError) {
        complain(error.commandText)
    }

    /// Says on standard error what went wrong.
    static func complain(_ sentence: String) {
        note("obscura: \(sentence)\n")
    }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
