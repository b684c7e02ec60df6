// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A pattern for the file name of each frame: `frames/%06d.jpg` stands for `frames/000001.jpg` and so on.
///
/// The file name contains at most one placeholder for the number of the frame: `%d`, or for example `%06d` for at least
/// six digits, padded with zeros. `%%` is a percent sign. Without a placeholder, the pattern is the path of a single
/// file.
public struct FramePathPattern: Sendable, Hashable, CustomStringConvertible {
    /// The original pattern.
    public let description: String
    /// The text before and after the number. Without a number, `head` is the whole path.
    private let head: String
    private let tail: String
    private let digits: Int?

    /// Parses a pattern.
    ///
    /// - Throws: ``ObscuraError/Code/invalidPath``.
    public init(_ pattern: String) throws(ObscuraError) {
        description = pattern
        guard !pattern.isEmpty, !pattern.utf8.contains(0) else {
            throw .invalidPattern(pattern, "the pattern is empty or contains a zero byte")
        }
        guard !pattern.hasSuffix("/") else { throw .invalidPattern(pattern, "it names a folder, not a file") }
        var parts = [""]
        var digits: Int?
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts[parts.count - 1].append(character)
                continue
            }
            if rest.first == "%" {
                rest.removeFirst()
                parts[parts.count - 1].append("%")
                continue
            }
            let width = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(width.count)
            guard rest.popFirst() == "d" else {
                throw .invalidPattern(pattern, "each percent sign must be part of %d, %% or a placeholder such as %06d")
            }
            guard digits == nil else { throw .invalidPattern(pattern, "it has more than one placeholder such as %d") }
            guard let count = width.isEmpty ? 1 : Int(width), width.isEmpty || width.first == "0", count <= 18 else {
                throw .invalidPattern(pattern, "%\(width)d needs a leading zero and at most 18 digits, as in %06d")
            }
            digits = max(1, count)
            parts.append("")
        }
        if parts.count == 2, parts[1].contains("/") {
            throw .invalidPattern(pattern, "the number of the frame must be in the file name, not in a folder name")
        }
        head = parts[0]
        tail = parts.count == 2 ? parts[1] : ""
        self.digits = digits
    }

    /// Whether the pattern has a placeholder for the number of the frame.
    public var hasNumber: Bool { digits != nil }

    /// Returns the path of a frame's file.
    ///
    /// - Parameter number: The frame number; not negative.
    public func path(_ number: Int) -> String {
        digits.map { head + number.zeroPadded(to: $0) + tail } ?? head
    }

    /// The file extension in lower case; empty for a name without an extension.
    public var pathExtension: String {
        let name = (digits == nil ? head : head + "0" + tail).split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: "."), point > name.startIndex else { return "" }
        return name[name.index(after: point)...].lowercased()
    }

    /// The path of the folder that contains the files; "." for the current folder.
    public var folder: String {
        guard let slash = head.lastIndex(of: "/") else { return "." }
        return slash == head.startIndex ? "/" : String(head[..<slash])
    }

    /// Whether a file name in ``folder`` matches the pattern.
    func matches(fileName: String) -> Bool {
        let prefix = head[(head.lastIndex(of: "/").map(head.index(after:)) ?? head.startIndex)...]
        guard let digits else { return fileName == prefix }
        guard fileName.hasPrefix(prefix), fileName.hasSuffix(tail),
            fileName.utf8.count > prefix.utf8.count + tail.utf8.count
        else { return false }
        let number = fileName.dropFirst(prefix.count).dropLast(tail.count)
        return number.allSatisfy { $0.isASCII && $0.isNumber }
            && (number.count == digits || number.count > digits && number.first != "0")
    }
}

extension ObscuraError {
    fileprivate static func invalidPattern(_ pattern: String, _ reason: String) -> ObscuraError {
        ObscuraError(
            .files, .invalidPath, subject: "output \(pattern)", reason: reason,
            advice: "Use a pattern such as frames/%06d.jpg, and %% for a percent sign.")
    }
}
