// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraDevices

extension DeviceSettingsFile {
    /// Creates a reference to the settings file at a location.
    public init(path file: some MediaLocation) {
        self.init(path: file.mediaLocation)
    }
}
