// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The state of one question to the user, as a pure value.
///
///     asked ── handle ──► waits for the response to this handle ── response ──► answered
///       └───── the response may arrive before the handle
struct PortalQuestion: Sendable, Hashable {
    /// The answer of the user.
    enum Answer: Sendable, Hashable {
        case granted
        /// Denied, or closed without an answer.
        case denied
        case failed

        init(code: Int64) {
            self =
                switch code {
                case 0: .granted
                case 1: .denied
                default: .failed
                }
        }
    }

    /// The path of the request; nil before the portal has told it.
    private var handle: String?
    /// The responses before that, by their paths.
    private var early: [String: Answer] = [:]

    /// Whether the portal has accepted the request.
    var isBegun: Bool { handle != nil }

    /// Notes the path of the request; returns the answer if it is already known.
    mutating func begun(_ handle: String) -> Answer? {
        self.handle = handle
        return early[handle]
    }

    /// Notes a response of the portal; returns the answer if it belongs to the question.
    mutating func responded(_ path: String, code: Int64) -> Answer? {
        let answer = Answer(code: code)
        if handle == nil { early[path] = answer }
        return path == handle ? answer : nil
    }
}
