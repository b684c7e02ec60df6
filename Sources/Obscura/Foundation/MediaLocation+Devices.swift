// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraDevices

extension DeviceSettingsFile {
    /// Uses the settings in a file.
    public init(path file: some MediaLocation) {
        self.init(path: file.mediaLocation)
    }
}
