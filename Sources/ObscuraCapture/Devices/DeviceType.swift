// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDevice {
    /// The kind of a device, by its bus.
    public enum DeviceType: String, Sendable, Hashable, CaseIterable, Codable {
        /// A device inside the machine: on an internal bus, or on USB if the firmware reports the device as fixed.
        case camera
        /// A removable device.
        case external
        /// A software device: a loopback device, a file, a network address, or a test source.
        case virtual
    }
}
