// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// What a session hands its frames to.
public protocol CaptureOutput: AnyObject, Sendable {
    /// The name of the output, for accounts and messages.
    var name: String { get }
    /// Its links to inputs, one for each kind of media that it takes. They are there as long as the output lives,
    /// also across a switch of cameras.
    var connections: [CaptureConnection] { get }
}

extension CaptureOutput {
    /// The link for a kind of media; nil if the output takes none of that.
    public func connection(with mediaType: MediaType) -> CaptureConnection? {
        connections.first { $0.mediaType == mediaType }
    }
}

/// What a session needs of its outputs, beyond what users see.
package protocol SessionOutput: CaptureOutput {
    /// What it asks of each frame, to be checked before anything runs; nil if it takes what comes.
    var checkedRequest: ImageRequest? { get }
    /// The session stops: no reader may be given anything that it has not got yet.
    ///
    /// - Returns: the callbacks that still run, to be waited for.
    func sessionWillStop() -> [any RunningCallback]
    /// The session starts: readers that live as long as the output begin a new account.
    func sessionWillStart()
}

/// A reader's callback that may still run.
package protocol RunningCallback: Sendable {
    /// Whose it is.
    var name: String { get }
    /// Blocks until it has returned, but not past the deadline; does not wait for `caller` itself.
    /// Returns whether it has.
    func wait(until deadline: HostTime, calledFrom caller: CallbackContext?) -> Bool
}

/// Which callback some code runs in: known to the callback itself and to the tasks that it starts.
package struct CallbackContext: Sendable, Hashable {
    let reader: ObjectIdentifier
    let number: UInt64

    @TaskLocal static var current: CallbackContext?
}
