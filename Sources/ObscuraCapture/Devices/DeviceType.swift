// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension CaptureDevice {
    /// What kind of camera it is, decided from where it hangs.
    public enum DeviceType: String, Sendable, Hashable, CaseIterable, Codable {
        /// A part of the machine: on its own buses, or on USB where the firmware says that nobody unplugs it.
        case camera
        /// On a plug.
        case external
        /// Made of no metal: a loopback that a program feeds, a file, an address, a built-in pattern.
        case virtual
    }
}
