// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Claims names of files that do not exist yet. No name is returned twice, even if its file is written only later.
///
/// Any thread; blocks on the disk.
final class UniqueNames: Sendable {
    private struct State {
        var claimed: Set<String> = []
        /// The oldest first; it is forgotten first.
        var order: [String] = []
    }

    /// After this many other names, the file of a name exists.
    private static let mostRemembered = 4096
    /// So that a number and the name of a recipe still fit.
    private static let longestStem = MediaName.longest - 48

    private let directory: MediaDirectory
    private let state = Lock(State())

    init(in directory: MediaDirectory) {
        self.directory = directory
    }

    /// Returns the first free name of `STEM.ENDING`, `STEM-2.ENDING` and so on.
    ///
    /// - Throws: ``ObscuraError/Code/invalidName`` for names that no file of the folder may have.
    func claim(stem: String, ending: String) throws(ObscuraError) -> MediaName {
        let stem = Self.shortened(stem)
        for number in 1...10_000 {
            let name = try MediaName(number == 1 ? "\(stem).\(ending)" : "\(stem)-\(number).\(ending)")
            // The recipe of a deleted file would edit the new one.
            let taken = [name.text, name.recipe, name.growing].contains(where: directory.isTaken)
            if !taken, remember(name.text) { return name }
        }
        throw ObscuraError(
            .studio, .tooMuch, subject: stem, reason: "10000 files have this name", advice: "Give another name.")
    }

    /// Whether this process has claimed the name: its movie may still be recorded.
    func hasClaimed(_ name: String) -> Bool {
        state.withLock { $0.claimed.contains(name) }
    }

    private func remember(_ name: String) -> Bool {
        state.withLock { state in
            guard state.claimed.insert(name).inserted else { return false }
            state.order.append(name)
            if state.order.count > 2 * Self.mostRemembered {
                state.claimed.subtract(state.order.prefix(Self.mostRemembered))
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
