// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureDevice {
    /// The white balance mode.
    public enum WhiteBalanceMode: Int, Sendable {
        case locked = 0
        case autoWhiteBalance = 1
        case continuousAutoWhiteBalance = 2

        fileprivate var mode: CaptureDevice.WhiteBalanceMode {
            switch self {
            case .locked: .locked
            case .autoWhiteBalance: .autoWhiteBalance
            case .continuousAutoWhiteBalance: .continuousAutoWhiteBalance
            }
        }
    }

    /// Whether the camera supports a white balance mode.
    public func isWhiteBalanceModeSupported(_ mode: WhiteBalanceMode) -> Bool {
        read { $0.isWhiteBalanceModeSupported(mode.mode) } ?? false
    }

    /// The white balance mode.
    public var whiteBalanceMode: WhiteBalanceMode {
        get {
            switch read({ $0.whiteBalanceMode.value }) ?? nil {
            case .autoWhiteBalance: .autoWhiteBalance
            case .continuousAutoWhiteBalance: .continuousAutoWhiteBalance
            case .locked, nil: .locked
            }
        }
        set { change("whiteBalanceMode") { try $0.setWhiteBalanceMode(newValue.mode) } }
    }
}
