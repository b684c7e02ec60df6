// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVCaptureOutput {
    /// The reason why media was dropped.
    public enum DataDroppedReason: Int, Sendable {
        /// The media was not dropped.
        case none = 0
        /// The receiver was busy.
        case lateData = 1
        /// The receiver already holds the maximum number of frames.
        case outOfBuffers = 2
        /// The media was lost or damaged before it was delivered.
        case discontinuity = 3
    }
}
