// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase

/// An output that delivers the frames or the audio of a session to your code. The superclass of ``VideoDataOutput`` and
/// ``AudioDataOutput``.
public class DataOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constants and a lock.
    private struct State {
        var latePolicy: LateFramePolicy
        var readers = 0
    }

    /// The connection to an input, with the settings for the frames or the audio that the output receives.
    public let connection: CaptureConnection
    let delegateSlot = DelegateSlot()
    private let state: Lock<State>

    init(name: String, mediaType: MediaType, latePolicy: LateFramePolicy) {
        connection = CaptureConnection(outputName: name, mediaType: mediaType)
        state = Lock(State(latePolicy: latePolicy))
        super.init(name: name, connection: connection)
    }

    /// The handling of frames or audio buffers that arrive while a reader is busy. After a change, a delegate or loop
    /// that already reads keeps the former policy.
    public var latePolicy: LateFramePolicy {
        get { state.withLock { $0.latePolicy } }
        set { state.withLock { $0.latePolicy = newValue } }
    }

    /// Returns the name and the policy of a new reader.
    func nextReader(_ kind: String) -> (name: String, policy: LateFramePolicy) {
        state.withLock { state in
            state.readers += 1
            return ("\(name) \(kind) \(state.readers)", state.latePolicy)
        }
    }

    /// Prepares for a restart of the source: loops that begin from now on wait for it, even after its end.
    package func awaitStart() {
        connection.renew()
    }

    package override func sessionWillStop() -> [any RunningCallback] {
        let callbacks = delegateSlot.pause()
        return callbacks + super.sessionWillStop()
    }

    package override func sessionWillStart() {
        // Must precede the renewal of the readers by the connection: otherwise a reader that ended without a frame
        // would be renewed, and then closed by the callback that still reports that end.
        delegateSlot.closeIfEnded()
        super.sessionWillStart()
        delegateSlot.open()
    }
}
