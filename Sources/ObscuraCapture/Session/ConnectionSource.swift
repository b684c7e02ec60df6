// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The interface of a source that its connections use.
protocol ConnectionSource: AnyObject, Sendable {
    var input: CaptureDeviceInput { get }
    /// Resizes the pool after a change of the connections or of the images that they make of a frame.
    func fitPool()
}
