// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraDevices

extension DeviceSettingsFile {
    /// Creates an object that reads and changes the settings in a file.
    public init(path file: some MediaLocation) {
        self.init(path: file.mediaLocation)
    }
}
