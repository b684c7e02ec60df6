// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A message that a command waits for its source, printed if the source is not available within two seconds.
struct WaitNotice {
    private let task: Task<Void, Never>?

    /// - Parameter isShown: whether the command waits, and may print messages.
    init(for source: String, isShown: Bool) {
        task =
            !isShown
            ? nil
            : Task {
                guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
                Terminal.complain("waiting for \(source) (Ctrl-C ends).")
            }
    }

    /// Called when the source is available, or the command ends.
    func end() { task?.cancel() }
}
