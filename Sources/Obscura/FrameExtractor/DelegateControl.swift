// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The extractor's interface to the bridge that calls the delegate.
protocol DelegateControl: Sendable {
    /// Stops the delivery at a stop: frames that wait for the main actor are not delivered.
    func close()
    /// Resumes the delivery before a restart of the camera.
    func reopen()
    /// Ends the delivery after the delegate was removed.
    func end()
}
