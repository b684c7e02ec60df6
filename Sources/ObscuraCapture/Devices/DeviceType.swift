// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDevice {
    /// The kind of a device: built-in, removable or virtual.
    public enum DeviceType: String, Sendable, Hashable, CaseIterable, Codable {
        /// A device built into the machine: on an internal bus, or on USB if the firmware reports the device as fixed.
        case camera
        /// A removable device, such as a USB webcam.
        case external
        /// A software device: a loopback device, a file, a network address, or a test source.
        case virtual
    }
}
