// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraCapture

/// Every state times every event, against the drawing.
@Suite struct SessionStateMachineTests {
    private typealias Machine = SessionStateMachine

    private enum Event: CaseIterable {
        case start, granted, denied, grantedLate, opened, refused, stop, closed, pause, released, resume
    }

    private static func machine(in state: Machine.State) -> Machine {
        var machine = Machine()
        if state == .stopped { return machine }
        _ = machine.start()
        if case .authorizing = state { return machine }
        _ = machine.authorized(attempt: 1, isGranted: true)
        if state == .starting { return machine }
        if state == .cancelling {
            _ = machine.stop()
            return machine
        }
        _ = machine.opened(true)
        if state == .stopping { _ = machine.stop() }
        guard [.pausing, .paused, .resuming].contains(state) else { return machine }
        _ = machine.pause()
        if state != .pausing { _ = machine.released() }
        if state == .resuming { _ = machine.resume() }
        return machine
    }

    private static func apply(_ event: Event, to machine: inout Machine) -> Machine.Action {
        switch event {
        case .start: machine.start()
        case .granted: machine.authorized(attempt: 1, isGranted: true)
        case .denied: machine.authorized(attempt: 1, isGranted: false)
        case .grantedLate: machine.authorized(attempt: 0, isGranted: true)
        case .opened: machine.opened(true)
        case .refused: machine.opened(false)
        case .stop: machine.stop()
        case .closed: machine.closed()
        case .pause: machine.pause()
        case .released: machine.released()
        case .resume: machine.resume()
        }
    }

    @Test func `Every event in every state does what the drawing says, and all others nothing`() {
        let states: [Machine.State] = [
            .stopped, .authorizing(attempt: 1), .starting, .cancelling, .running, .stopping, .pausing, .paused,
            .resuming,
        ]
        let drawn: [(Machine.State, Event, Machine.State, Machine.Action)] = [
            (.stopped, .start, .authorizing(attempt: 1), .authorize(attempt: 1)),
            (.authorizing(attempt: 1), .granted, .starting, .open),
            (.authorizing(attempt: 1), .denied, .stopped, .nothing),
            (.authorizing(attempt: 1), .stop, .stopped, .nothing),
            (.starting, .opened, .running, .announceStart),
            (.starting, .refused, .stopped, .nothing),
            (.starting, .stop, .cancelling, .cancelOpening),
            (.cancelling, .opened, .stopping, .close),
            (.cancelling, .refused, .stopped, .nothing),
            (.running, .stop, .stopping, .close),
            (.stopping, .closed, .stopped, .announceStop),
            (.running, .pause, .pausing, .release),
            (.pausing, .released, .paused, .announcePause),
            (.pausing, .stop, .stopping, .close),
            (.paused, .resume, .resuming, .reopen),
            (.paused, .stop, .stopping, .close),
            (.resuming, .opened, .running, .announceResumption),
            (.resuming, .refused, .paused, .nothing),
            (.resuming, .stop, .stopping, .close),
        ]
        for state in states {
            for event in Event.allCases {
                var machine = Self.machine(in: state)
                #expect(machine.state == state)
                let action = Self.apply(event, to: &machine)
                let expected = drawn.first { $0.0 == state && $0.1 == event }
                #expect(machine.state == expected?.2 ?? state, "\(event) in \(state)")
                #expect(action == expected?.3 ?? .nothing, "\(event) in \(state)")
                #expect(machine.isRunning == (machine.state == .running))
                #expect(machine.isStopped == (machine.state == .stopped))
                #expect(machine.isPaused == (machine.state == .paused))
                #expect(machine.isEnding == [.cancelling, .stopping].contains(machine.state))
            }
        }
    }

    @Test func `A permission that is granted late opens no later attempt`() {
        var machine = Machine()
        #expect(machine.start() == .authorize(attempt: 1))
        _ = machine.stop()
        #expect(machine.start() == .authorize(attempt: 2))
        #expect(machine.authorized(attempt: 1, isGranted: true) == .nothing)
        #expect(machine.state == .authorizing(attempt: 2))
        #expect(machine.authorized(attempt: 2, isGranted: true) == .open)
    }
}
