// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What a connection knows of the source that its frames come from.
protocol ConnectionSource: AnyObject, Sendable {
    var input: CaptureDeviceInput { get }
    /// The connections have changed: the source must have room for the pictures that they make of a frame.
    func fitPool()
}
