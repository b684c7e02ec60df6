// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraBase

/// Generates unused file names, and claims each of them, since its file may be created later.
///
/// Thread-safe; blocks on disk access.
final class UniqueNames: Sendable {
    private struct State {
        var claimed: Set<String> = []
        /// Claimed names in the order of their claims, so that the oldest can be dropped.
        var order: [String] = []
    }

    /// Number of claims to remember; the file of an older one has been created long before.
    private static let mostRemembered = 4096
    /// Leaves space for a number and for the suffix of a recipe.
    private static let longestStem = MediaName.longest - 48

    private let directory: MediaDirectory
    private let state = Lock(State())

    init(in directory: MediaDirectory) {
        self.directory = directory
    }

    /// Returns the first free name of `STEM.ENDING`, `STEM-2.ENDING` and so on.
    ///
    /// - Throws: ``ObscuraError/Code/invalidName`` for a name that is not permitted in the folder.
    func claim(stem: String, ending: String) throws(ObscuraError) -> MediaName {
        let stem = Self.shortened(stem)
        for number in 1...10_000 {
            let name = try MediaName(number == 1 ? "\(stem).\(ending)" : "\(stem)-\(number).\(ending)")
            // The leftover edits of a deleted file would apply to the new one.
            let taken = ([name.text, name.growing] + name.sidecars).contains(where: directory.isTaken)
            if !taken, remember(name.text) { return name }
        }
        throw ObscuraError(
            .studio, .tooMuch, subject: stem, reason: "the folder already has 10000 files with this name and a number",
            advice: "Use another name.")
    }

    /// Whether the name was claimed here, so that its movie may be in recording.
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
    /// The time in a form such as `2026-11-21-201530.123`, which sorts by time and is legal on all file systems.
    var fileStamp: String {
        let now = fields
        return "\(now.date("-"))-\(now.clock("")).\((now.nanosecond / 1_000_000).zeroPadded(to: 3))"
    }
}
