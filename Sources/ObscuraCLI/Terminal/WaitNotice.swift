// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Dispatch
internal import ObscuraBase

/// A message that a command waits for its source, printed if the source is not available within two seconds.
struct WaitNotice: Sendable {
    private let isOver = Lock(false)

    /// - Parameter isShown: whether the command waits, and may print messages.
    init(for source: String, isShown: Bool) {
        guard isShown else { return }
        DispatchQueue(label: "obscura.wait").asyncAfter(deadline: .now() + .seconds(2)) { [isOver] in
            if !isOver.withLock({ $0 }) { Terminal.complain("waiting for \(source) (stop with Ctrl-C).") }
        }
    }

    /// Called when the source is available, or the command ends.
    func end() { isOver.withLock { $0 = true } }
}
