// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDevice {
    /// The kind of camera, derived from its connection.
    public enum DeviceType: String, Sendable, Hashable, CaseIterable, Codable {
        /// Built in: on an internal bus, or on a USB port that the firmware describes as not removable.
        case camera
        /// Pluggable.
        case external
        /// Not hardware: a loopback device that a program feeds, a file, an address, a built-in
        /// pattern.
        case virtual
    }
}
