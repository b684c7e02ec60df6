// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureDevice.FlashMode {
    var flash: PhotoSettings.Flash {
        switch self {
        case .off: .off
        case .on: .on
        case .auto: .auto
        }
    }
}
