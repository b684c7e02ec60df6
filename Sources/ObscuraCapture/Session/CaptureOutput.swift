// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// A destination for the frames of a session.
public protocol CaptureOutput: AnyObject, Sendable {
    /// The name of the output, used in statistics and messages.
    var name: String { get }
    /// The links to inputs, one for each supported media type. They exist as long as the output, also when the
    /// camera is switched.
    var connections: [CaptureConnection] { get }
}

extension CaptureOutput {
    /// Returns the connection for a media type; nil if the output does not support it.
    public func connection(with mediaType: MediaType) -> CaptureConnection? {
        connections.first { $0.mediaType == mediaType }
    }
}

/// Requirements of a session on its outputs that are not public.
package protocol SessionOutput: CaptureOutput {
    /// The image request, checked before anything runs; nil if the output accepts every frame.
    var checkedRequest: ImageRequest? { get }
    /// Prepares for the stop of the session: readers get no frame that they have not received yet.
    ///
    /// - Returns: The callbacks that still run, which the session waits for.
    func sessionWillStop() -> [any RunningCallback]
    /// Prepares for the start of the session: readers that live as long as the output start new statistics.
    func sessionWillStart()
}

/// A reader's callback that may still run.
package protocol RunningCallback: Sendable {
    /// The name of the reader.
    var name: String { get }
    /// Blocks until the callback has returned or the deadline has passed; does not wait if called from the callback
    /// itself. Returns whether the callback has returned.
    func wait(until deadline: HostTime, calledFrom caller: CallbackContext?) -> Bool
}

/// Identifies the callback in which code runs; inherited by the tasks that the callback starts.
package struct CallbackContext: Sendable, Hashable {
    let reader: ObjectIdentifier
    let number: UInt64

    @TaskLocal static var current: CallbackContext?
}
