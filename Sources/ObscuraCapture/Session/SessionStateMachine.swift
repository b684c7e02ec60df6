// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The states of a session: a pure value that returns the action to take on each transition.
///
/// ```
///            start               authorized             opened
///   stopped ──────► authorizing ────────────► starting ─────────► running
///      ▲                 │                     │    │                │
///      │    stop, denied │                stop │    │ refused        │ stop,
///      ├─────────────────┘                     ▼    │                │ all sources ended
///      │                              cancelling    │                ▼
///      │                 refused       │    │opened │            stopping
///      ├───────────────────────────────┘    └───────┼───────────────►│
///      └────────────────────────────────────────────┘◄───────────────┘ closed
///
///              pause            paused           resume
///   running ─────────► pausing ────────► paused ────────► resuming ─────────► running
///                                          ▲                 │        opened
///                                          └─────────────────┘ refused
///
///   A stop in pausing, paused or resuming leads to stopping.
/// ```
///
/// Each attempt to start has a number, so that a permission granted late cannot open a later attempt.
struct SessionStateMachine: Sendable, Hashable {
    enum State: Sendable, Hashable {
        case stopped
        /// The user is being asked for permission.
        case authorizing(attempt: Int)
        /// The devices are being opened.
        case starting
        /// A stop was requested while the devices were being opened.
        case cancelling
        case running
        case stopping
        /// The devices are being closed, and the readers wait.
        case pausing
        case paused
        /// The devices are being opened again.
        case resuming
    }

    /// The action that the session must take after a transition.
    enum Action: Sendable, Hashable {
        case authorize(attempt: Int)
        case open
        case cancelOpening
        case announceStart
        case close
        case announceStop
        case release
        case announcePause
        case reopen
        case announceResumption
        case nothing
    }

    private(set) var state = State.stopped
    private var attempts = 0

    var isStopped: Bool { state == .stopped }
    var isRunning: Bool { state == .running }
    var isPaused: Bool { state == .paused }
    /// Whether a stop is in progress.
    var isEnding: Bool { state == .cancelling || state == .stopping }

    /// The number of the attempt in progress; nil when there is none.
    var pendingAttempt: Int? {
        switch state {
        case .authorizing, .starting, .cancelling: attempts
        case .stopped, .running, .stopping, .pausing, .paused, .resuming: nil
        }
    }

    mutating func start() -> Action {
        guard state == .stopped else { return .nothing }
        attempts += 1
        state = .authorizing(attempt: attempts)
        return .authorize(attempt: attempts)
    }

    /// Handles the user's answer; returns `nothing` if the attempt is over or permission was denied.
    mutating func authorized(attempt: Int, isGranted: Bool) -> Action {
        guard state == .authorizing(attempt: attempt) else { return .nothing }
        state = isGranted ? .starting : .stopped
        return isGranted ? .open : .nothing
    }

    /// Handles the outcome of opening: either all devices run, or none.
    mutating func opened(_ isOpen: Bool) -> Action {
        switch state {
        case .starting where isOpen:
            state = .running
            return .announceStart
        case .cancelling where isOpen:
            state = .stopping
            return .close
        case .starting, .cancelling:
            state = .stopped
            return .nothing
        case .resuming:
            state = isOpen ? .running : .paused
            return isOpen ? .announceResumption : .nothing
        case .stopped, .authorizing, .running, .stopping, .pausing, .paused:
            return .nothing
        }
    }

    mutating func stop() -> Action {
        switch state {
        case .authorizing:
            state = .stopped
            return .nothing
        case .starting:
            state = .cancelling
            return .cancelOpening
        case .running, .pausing, .paused, .resuming:
            state = .stopping
            return .close
        case .stopped, .cancelling, .stopping:
            return .nothing
        }
    }

    mutating func closed() -> Action {
        guard state == .stopping else { return .nothing }
        state = .stopped
        return .announceStop
    }

    mutating func pause() -> Action {
        guard state == .running else { return .nothing }
        state = .pausing
        return .release
    }

    /// Handles the release of the devices; returns `nothing` after a stop in the meantime.
    mutating func released() -> Action {
        guard state == .pausing else { return .nothing }
        state = .paused
        return .announcePause
    }

    mutating func resume() -> Action {
        guard state == .paused else { return .nothing }
        state = .resuming
        return .reopen
    }
}
