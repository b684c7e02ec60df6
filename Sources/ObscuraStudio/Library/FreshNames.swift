// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Names that nobody has and that are given out once, also to those who write their files only later.
///
/// Any thread; blocks on the disk.
final class FreshNames: Sendable {
    private struct State {
        var given: Set<String> = []
        /// In the order in which they were given, so that the oldest can leave.
        var order: [String] = []
    }

    /// Long after this many others, a name has its file.
    private static let mostRemembered = 4096
    /// So that a number and the name of a recipe still fit.
    private static let longestStem = MediaName.longest - 48

    private let directory: MediaDirectory
    private let state = Lock(State())

    init(in directory: MediaDirectory) {
        self.directory = directory
    }

    /// `STEM.ENDING`, or else `STEM-2.ENDING` and so on.
    ///
    /// - Throws: ``ObscuraError/Code/invalidName`` for what no file of the folder may be called.
    func take(stem: String, ending: String) throws(ObscuraError) -> MediaName {
        let stem = Self.shortened(stem)
        for number in 1...10_000 {
            let name = try MediaName(number == 1 ? "\(stem).\(ending)" : "\(stem)-\(number).\(ending)")
            // A recipe that is left of a file that is gone would edit the new one.
            let taken = [name.text, name.recipe, name.growing].contains(where: directory.isTaken)
            if !taken, remember(name.text) { return name }
        }
        throw ObscuraError(
            .studio, .tooMuch, subject: stem, reason: "10000 files are called like this", advice: "Give another name.")
    }

    /// Whether the movie of this name is one of ours, which may still be growing.
    func hasGiven(_ name: String) -> Bool {
        state.withLock { $0.given.contains(name) }
    }

    private func remember(_ name: String) -> Bool {
        state.withLock { state in
            guard state.given.insert(name).inserted else { return false }
            state.order.append(name)
            if state.order.count > 2 * Self.mostRemembered {
                state.given.subtract(state.order.prefix(Self.mostRemembered))
                state.order.removeFirst(Self.mostRemembered)
            }
            return true
        }
    }

    private static func shortened(_ stem: String) -> String {
        var stem = stem
        while stem.utf8.count > longestStem { stem.removeLast() }
        return stem
    }
}

extension WallTime {
    /// Such as `2026-11-21-201530.123`: sorts by time, and is legal everywhere.
    var fileStamp: String {
        let now = fields
        return "\(now.date("-"))-\(now.clock("")).\((now.nanosecond / 1_000_000).zeroPadded(to: 3))"
    }
}
