// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDevice {
    /// The kind of a device, by its bus.
    public enum DeviceType: String, Sendable, Hashable, CaseIterable, Codable {
        /// Built in: on an internal bus, or on USB if the firmware reports it as fixed.
        case camera
        /// Removable.
        case external
        /// Software: a loopback, a file, an address, a built-in pattern.
        case virtual
    }
}
