// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
package import ObscuraMedia

/// The camera portal of the desktop (org.freedesktop.portal.Camera), by which a process gets access to the cameras of
/// PipeWire.
///
/// Thread-safe. A process in a sandbox may not read the stored decision. There, ``access`` cannot tell a decision "no"
/// from a question that was never asked: until this process asks, both are `notAsked`. If the decision is "no", a
/// question is answered without a dialog.
package final class CameraPortal: Sendable {
    /// The portal of this process's user session.
    package static let shared = CameraPortal(isSandboxed: CameraSandbox.current.isSandboxed)

    /// Whether this process reaches the cameras of PipeWire through the portal, by ``CameraPermission/portalUse``.
    package static var isUsed: Bool { CameraPermission.settings.portalUse.applies(in: .current) }

    private typealias Waiter = CheckedContinuation<CameraAccess, Never>

    private struct State {
        /// The permission as last determined, and the time.
        var known: (access: CameraAccess, time: HostTime)?
        /// The beginning of the inquiry in progress.
        var inquiry: HostTime?
        /// The question in progress.
        var question: PortalQuestion?
        /// Counts the questions, so that an inquiry from before an answer does not replace it.
        var questions = 0
        /// The result of the last question.
        var answer: CameraAccess?
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var nextObserver: UInt64 = 0
        /// The question from which on the signals of the portal are observed; nil if they are not.
        var observed: Int?

        /// The permission while a question is in progress.
        var whileAsking: CameraAccess { known?.access == .granted ? .granted : .notAsked }

        /// Begins a question, and returns its number and whether the signals must be observed first; nil if one is
        /// already in progress.
        mutating func beginQuestion() -> (number: Int, observes: Bool)? {
            guard question == nil else { return nil }
            question = PortalQuestion()
            questions += 1
            let observes = observed == nil
            if observes { observed = questions }
            return (questions, observes)
        }

        /// Notes that an observation has ended, and returns the number of the question that was lost with it. The end is
        /// reported for each kind of signal; a question after the first report has an observation of its own.
        mutating func endObservation(since number: Int) -> Int? {
            guard observed == number else { return nil }
            observed = nil
            return questions
        }

        /// Notes the permission, and returns the observers to tell if it differs from a former one.
        mutating func note(_ access: CameraAccess) -> [@Sendable () -> Void] {
            defer { known = (access, .now) }
            return known == nil || known?.access == access ? [] : Array(observers.values)
        }
    }

    private let connection: DBusConnection
    private let isSandboxed: Bool
    private let state = Lock(State())

    /// The time for which a known permission is not determined again. The user can change it at any time.
    private static let freshness = Duration.seconds(2)
    /// The maximum wait for a permission that is not known.
    private static let patience = Duration.seconds(1)
    /// The time limit of each call.
    private static let callLimit = Duration.seconds(10)

    init(isSandboxed: Bool) {
        self.isSandboxed = isSandboxed
        connection = DBusConnection(.session) {
            guard !isSandboxed, let id = CameraPermission.settings.applicationID else { return [] }
            return [.register(id)]
        }
    }

    // MARK: Status

    /// The current permission, without asking the user. Blocks for at most one second if it is not known; changes by
    /// others are noticed within two seconds.
    package var access: CameraAccess {
        let now = HostTime.now
        let (known, inquiry, begins) = state.withLock { state -> (CameraAccess?, HostTime, Bool) in
            if state.question != nil { return (state.whileAsking, now, false) }
            if let known = state.known, now - known.time < Self.freshness { return (known.access, now, false) }
            if let inquiry = state.inquiry { return (nil, inquiry, false) }
            state.inquiry = now
            return (nil, now, true)
        }
        if let known { return known }
        if begins { inquire() }
        let determined = state.wait(until: inquiry + Self.patience) { state in
            if state.question != nil { return state.whileAsking }
            return state.inquiry == inquiry ? nil : state.known?.access
        }
        return determined ?? state.withLock { $0.known?.access } ?? .failed
    }

    /// Calls `tell` when the permission was found to have changed, on the thread of D-Bus, where it must not block, until
    /// the returned object is released.
    package func observe(_ tell: @escaping @Sendable () -> Void) -> Observation {
        let id = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = tell
            return state.nextObserver
        }
        return Observation { [self] in state.withLock { _ = $0.observers.removeValue(forKey: id) } }
    }

    private func inquire() {
        let questions = state.withLock { $0.questions }
        let finish = { @Sendable [self] (remote: PortalRemote, stored: StoredDecision?) in
            let observers = state.withLockSignalling { state -> [@Sendable () -> Void] in
                state.inquiry = nil
                guard state.questions == questions else { return [] }
                return state.note(CameraAccess(remote: remote, stored: stored, answer: state.answer))
            }
            for tell in observers { tell() }
        }
        openRemote { [self] remote in
            guard !isSandboxed, remote == .notAllowed || remote == .failed else { return finish(remote, nil) }
            lookUp { finish(remote, $0) }
        }
    }

    private func openRemote(_ then: @escaping @Sendable (PortalRemote) -> Void) {
        connection.call(.openPipeWireRemote, timeout: Self.callLimit) { result in
            switch result {
            case .success: then(.opened)
            case .failure(let failure): then(PortalRemote(failure))
            }
        }
    }

    private func lookUp(_ then: @escaping @Sendable (StoredDecision?) -> Void) {
        connection.call(.lookUpCameraPermission, timeout: Self.callLimit) { then(StoredDecision($0)) }
    }

    // MARK: Question

    /// Asks the user if needed, and suspends until the answer, without a time limit. Concurrent calls show one dialog.
    ///
    /// If the task is cancelled, the call returns at once, with `notAsked` if there is no answer yet. The dialog stays
    /// open, since the portal stores a request that is closed as a denial; the answer is awaited in the background.
    package func requestAccess() async -> CameraAccess {
        if Task.isCancelled { return .notAsked }
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let question = state.withLock { state in
                    state.waiters[id] = continuation
                    return state.beginQuestion()
                }
                if let question { ask(question.number, observes: question.observes) }
                // The cancellation may have preceded the continuation.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: .notAsked)
    }

    private func ask(_ number: Int, observes: Bool) {
        let matches = observes ? [DBusMatch.portalResponse, .portalOwner] : []
        let observer: DBusJob.Observer = { [self] event in note(event, since: number) }
        connection.call(.accessCamera, timeout: Self.callLimit, observing: matches, with: observer) { [self] result in
            switch result {
            case .success(let values):
                guard let handle = values.first?.text else { return conclude(number, .failed) }
                if let answer = state.withLock({ $0.question?.begun(handle) }) { take(number, answer) }
            case .failure(let failure): conclude(number, CameraAccess(unasked: failure))
            }
        }
    }

    /// - Parameter observed: the question with which the observation began.
    private func note(_ event: DBusEvent, since observed: Int) {
        let number = state.withLock { $0.questions }
        switch event {
        case .ended(let failure):
            guard let lost = state.withLock({ $0.endObservation(since: observed) }) else { return }
            conclude(lost, CameraAccess(unasked: failure))
        case .signal(let signal) where signal.member == DBusMatch.portalOwner.member:
            // The portal has ended or was replaced, and its requests with it.
            if state.withLock({ $0.question?.isBegun == true }) { conclude(number, .failed) }
        case .signal(let signal):
            guard let code = signal.arguments.first?.number else { return }
            if let answer = state.withLock({ $0.question?.responded(signal.path, code: code) }) {
                take(number, answer)
            }
        }
    }

    private func take(_ number: Int, _ answer: PortalQuestion.Answer) {
        switch answer {
        case .granted: openRemote { [self] in conclude(number, CameraAccess(grantedAnd: $0)) }
        case .denied where isSandboxed: conclude(number, CameraAccess(deniedAnd: nil))
        case .denied: lookUp { [self] in conclude(number, CameraAccess(deniedAnd: $0)) }
        case .failed: conclude(number, .failed)
        }
    }

    /// Ends the question with this number, if it is still in progress.
    private func conclude(_ number: Int, _ access: CameraAccess) {
        let (waiters, observers) = state.withLockSignalling { state -> ([Waiter], [@Sendable () -> Void]) in
            guard state.questions == number, state.question != nil else { return ([], []) }
            state.question = nil
            state.answer = access
            defer { state.waiters = [:] }
            return (Array(state.waiters.values), state.note(access))
        }
        for waiter in waiters { waiter.resume(returning: access) }
        for tell in observers { tell() }
    }

    // MARK: Connection

    /// Returns a new descriptor of a connection to PipeWire that shows only cameras. The caller owns it.
    ///
    /// Blocks until the portal answers, for at most 10 s.
    ///
    /// - Throws: `notAuthorized`; `connectionRefused` if the portal refuses the connection although access was granted;
    ///   `portalFailed`.
    package func openRemote() throws(ObscuraError) -> Int32 {
        do throws(DBusFailure) {
            let result = try connection.call(.openPipeWireRemote, timeout: Self.callLimit)
            guard let descriptor = result.first?.descriptor else { throw .malformed(errno: EBADMSG) }
            let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw .malformed(errno: errno) }
            return copy
        } catch {
            throw .noRemote(error, access)
        }
    }
}
