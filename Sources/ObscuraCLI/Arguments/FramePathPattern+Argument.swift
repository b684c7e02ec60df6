// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser
internal import Obscura

extension FramePathPattern {
    /// Creates the pattern of an option.
    ///
    /// - Throws: `ValidationError` for an empty or invalid one.
    init(argument: String) throws {
        if argument.isEmpty { throw ValidationError("-o needs a file name.") }
        do throws(ObscuraError) {
            try self.init(argument)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The error for a file name without a number, to which several frames would be written.
    static func holdsOneFrame(_ output: String) -> ValidationError {
        ValidationError(
            "\(output) can hold only one frame. Give a numbered name, as in frames/%06d.jpg, or --count 1.")
    }

    /// Returns the path with a number: at the placeholder of the pattern, or else before the extension, as
    /// in `photo-1.jpg`.
    func numberedPath(_ number: Int) -> String {
        let path = path(number)
        guard !hasNumber, let point = path.lastIndex(of: ".") else { return path }
        return "\(path[..<point])-\(number)\(path[point...])"
    }
}
