// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The callback in which code runs; inherited by the tasks that the callback starts.
///
/// A callback may stop its session, and then waits for the stop. No stop of the session may wait for that callback,
/// whoever else stops the session at the same time.
struct CallbackContext: Sendable {
    let reader: any RunningCallback
    let number: UInt64
    /// The session at the beginning of the callback, which may remove its output. Compared only: an address that is used
    /// again does no harm, since the former session is gone and waits for no callback.
    let session: ObjectIdentifier?

    @TaskLocal static var current: CallbackContext?

    /// The context if the callback belongs to the session; nil otherwise.
    static func current(of session: AnyObject) -> CallbackContext? {
        current.flatMap { $0.session == ObjectIdentifier(session) ? $0 : nil }
    }

    /// Notes that the callback, if it still runs, waits for a stop; ``endStop()`` must follow.
    func beginStop() {
        reader.beginStop(in: number)
    }

    func endStop() {
        reader.endStop(in: number)
    }
}
