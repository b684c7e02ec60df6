// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension AVCaptureOutput {
    /// The reason why media were dropped.
    public enum DataDroppedReason: Int, Sendable {
        /// They were not dropped.
        case none = 0
        /// The receiver was busy.
        case lateData = 1
        /// The receiver holds as many frames as it may.
        case outOfBuffers = 2
        /// They were lost or damaged before they were delivered.
        case discontinuity = 3
    }
}
