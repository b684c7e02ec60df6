// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// Reads the records of a trace, in order. One thread at a time.
///
/// The file may come from anybody: lines and numbers are limited. An incomplete last line, as after a crash, is ignored.
final class TraceReader {
    /// The version of the format that is written, and the latest one that is read.
    static let version = 1

    /// The maximum length of a line, in bytes: a large picture.
    private static let longestLine = 64 << 20
    private static let partSize = 1 << 20

    private let path: String
    private let file: FileDescriptor
    private let decoder = JSONDecoder()
    /// Bytes that were read, from `position` on; complete lines before it were returned.
    private var bytes: [UInt8] = []
    private var position = 0
    private var lineNumber = 0

    /// - Throws: `unreadable` for a file that is no trace, or of a later version.
    init(_ path: String) throws(ObscuraError) {
        self.path = path
        do {
            file = try FileDescriptor(opening: path, O_RDONLY)
        } catch {
            throw ObscuraError(error, reading: path, domain: .capture)
        }
        guard let line = try nextLine(), let head = try? decoder.decode(TraceRecord.self, from: line.text),
            head.kind == .trace
        else { throw failure("it is not a trace: its first line is not a header") }
        guard let version = head.version, version <= Self.version else {
            throw failure("the trace was written by a later version of Obscura (\(head.program ?? "unknown"))")
        }
    }

    /// Returns the next record; nil at the end.
    ///
    /// - Throws: `damaged` for a line that is no record.
    func next() throws(ObscuraError) -> TraceRecord? {
        guard let line = try nextLine() else { return nil }
        do {
            return try decoder.decode(TraceRecord.self, from: line.text).limited
        } catch {
            guard line.isComplete else { return nil }
            throw ObscuraError(
                .capture, .damaged, subject: path, reason: "line \(lineNumber) of the trace is damaged",
                advice: "To play the lines before the damage, delete this line and all later lines.")
        }
    }

    /// Returns the next line, and whether it has an end; nil at the end of the file.
    private func nextLine() throws(ObscuraError) -> (text: Data, isComplete: Bool)? {
        var searched = position
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                lineNumber += 1
                return (Data(bytes[position..<end]), true)
            }
            searched = bytes.count
            guard searched - position <= Self.longestLine else {
                throw failure("line \(lineNumber + 1) of the trace is too long")
            }
            let part: [UInt8]
            do {
                part = try file.read(upTo: Self.partSize)
            } catch {
                throw ObscuraError(error, reading: path, domain: .capture)
            }
            guard !part.isEmpty else {
                defer { position = bytes.count }
                return position < bytes.count ? (Data(bytes[position...]), false) : nil
            }
            bytes.removeFirst(position)
            searched -= position
            position = 0
            bytes += part
        }
    }

    private func failure(_ reason: String) -> ObscuraError {
        ObscuraError(.capture, .unreadable, subject: path, reason: reason)
    }
}

extension TraceRecord {
    /// The record with times in a range in which sums and differences do not overflow.
    fileprivate var limited: TraceRecord {
        let longest = Int64.max / 4
        var record = self
        record.at = min(max(0, at), longest)
        record.frame?.captured = min(max(-longest, frame?.captured ?? 0), longest)
        record.sound?.captured = min(max(-longest, sound?.captured ?? 0), longest)
        return record
    }
}
