// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Logging

/// Writes the log of the libraries to standard error, through the filter of ``Terminal``: a message can contain the
/// path of a request, or the text of a server.
struct TerminalLog: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()
    let label: String

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Terminal.note(line(of: event, at: .now) + "\n")
    }

    /// Returns one line: the time, the level, the label, the metadata and the message.
    func line(of event: LogEvent, at time: Date) -> String {
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let words =
            [time.formatted(.iso8601), "\(event.level)", "\(label):"] + metadata.map { "\($0.key)=\($0.value)" }
            + ["\(event.message)"]
        // A line end within a message could fake a second one.
        return String(words.joined(separator: " ").map { $0.isNewline ? " " : $0 })
    }
}
