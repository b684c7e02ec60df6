// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura

/// Settings of the hardware. A property that the camera rejects keeps its value, and the log has the reason.
extension AVCaptureDevice {
    /// The focus mode.
    public enum FocusMode: Int, Sendable {
        case locked = 0
        case autoFocus = 1
        case continuousAutoFocus = 2

        fileprivate var mode: CaptureDevice.FocusMode {
            switch self {
            case .locked: .locked
            case .autoFocus: .autoFocus
            case .continuousAutoFocus: .continuousAutoFocus
            }
        }
    }

    /// The exposure mode. `autoExpose`, which measures once, is not supported by any camera here.
    public enum ExposureMode: Int, Sendable {
        case locked = 0
        case autoExpose = 1
        case continuousAutoExposure = 2
        case custom = 3

        fileprivate var mode: CaptureDevice.ExposureMode? {
            switch self {
            case .locked: .locked
            case .autoExpose: nil
            case .continuousAutoExposure: .continuousAutoExposure
            case .custom: .custom
            }
        }
    }

    /// The torch mode. `auto`, which depends on the light, is not supported by any camera here.
    public enum TorchMode: Int, Sendable {
        case off = 0
        case on = 1
        case auto = 2

        fileprivate var mode: CaptureDevice.TorchMode? {
            switch self {
            case .off: .off
            case .on: .on
            case .auto: nil
            }
        }
    }

    /// The flash mode of a photo.
    public enum FlashMode: Int, Sendable {
        case off = 0
        case on = 1
        case auto = 2
    }

    private static let logger = Logger(label: "obscura.avfoundation")

    /// Does nothing here: the kernel has no lock for the settings of a camera. Other processes can change them at any
    /// time.
    public func lockForConfiguration() throws {}

    /// Does nothing here; see ``lockForConfiguration()``.
    public func unlockForConfiguration() {}

    /// Whether the camera supports a focus mode.
    public func isFocusModeSupported(_ mode: FocusMode) -> Bool {
        read { $0.isFocusModeSupported(mode.mode) } ?? false
    }

    /// The focus mode.
    public var focusMode: FocusMode {
        get {
            switch read({ $0.focusMode.value }) ?? nil {
            case .autoFocus: .autoFocus
            case .continuousAutoFocus: .continuousAutoFocus
            case .locked, nil: .locked
            }
        }
        set { change("focusMode") { try $0.setFocusMode(newValue.mode) } }
    }

    /// Whether the camera supports an exposure mode.
    public func isExposureModeSupported(_ mode: ExposureMode) -> Bool {
        guard let mode = mode.mode else { return false }
        return read { $0.isExposureModeSupported(mode) } ?? false
    }

    /// The exposure mode.
    public var exposureMode: ExposureMode {
        get {
            switch read({ $0.exposureMode.value }) ?? nil {
            case .continuousAutoExposure: .continuousAutoExposure
            case .custom: .custom
            case .locked, nil: .locked
            }
        }
        set {
            guard let mode = newValue.mode else { return refuse("exposureMode", newValue) }
            change("exposureMode") { try $0.setExposureMode(mode) }
        }
    }

    /// Whether the camera has a flash: an LED for photos, or a torch, which is then used as a flash.
    public var hasFlash: Bool {
        read { $0.flashMode.choices.contains(.on) || $0.torchMode.choices.contains(.on) } ?? false
    }

    /// Whether the flash can be used; the same as ``hasFlash``.
    public var isFlashAvailable: Bool { hasFlash }

    /// Whether the camera supports a flash mode.
    public func isFlashModeSupported(_ mode: FlashMode) -> Bool { mode == .off || hasFlash }

    /// The flash mode for photos of an ``AVCaptureStillImageOutput``. Initially `off`. Photos of an
    /// ``AVCapturePhotoOutput`` use ``AVCapturePhotoSettings/flashMode`` instead.
    public var flashMode: FlashMode {
        get { place.withLock { $0.flashMode } }
        set {
            guard isFlashModeSupported(newValue) else {
                return Self.logger.error("\(localizedName): flashMode: the camera has no flash")
            }
            place.withLock { $0.flashMode = newValue }
        }
    }

    /// Whether the camera has a torch.
    public var hasTorch: Bool { read { $0.torchMode.isSupported } ?? false }

    /// Whether the torch can be used; the same as ``hasTorch``.
    public var isTorchAvailable: Bool { hasTorch }

    /// Whether the camera supports a torch mode.
    public func isTorchModeSupported(_ mode: TorchMode) -> Bool { mode == .off || mode == .on && hasTorch }

    /// The torch mode.
    public var torchMode: TorchMode {
        get { (read { $0.torchMode.value } ?? nil) == .on ? .on : .off }
        set {
            guard let mode = newValue.mode else { return refuse("torchMode", newValue) }
            change("torchMode") { try $0.setTorchMode(mode) }
        }
    }

    /// The highest brightness of any torch, for ``setTorchModeOn(level:)``.
    public static let maxAvailableTorchLevel = Float.greatestFiniteMagnitude

    /// Turns the torch on.
    ///
    /// - Parameter level: the brightness, from 0 to 1, or ``maxAvailableTorchLevel``.
    /// - Throws: an `ObscuraError`.
    public func setTorchModeOn(level: Float) throws {
        let level = level == Self.maxAvailableTorchLevel ? 1 : Double(level)
        try device.lockForConfiguration { try $0.setTorchModeOn(level: level) }
    }

    func read<R>(_ body: (borrowing DeviceConfiguration) -> R) -> R? {
        try? device.lockForConfiguration { body($0) }
    }

    private func refuse(_ property: String, _ value: some Any) {
        Self.logger.warning("\(localizedName): \(property): \(value) is not supported")
    }

    func change(_ property: String, _ body: (inout DeviceConfiguration) throws -> Void) {
        do {
            try device.lockForConfiguration { try body(&$0) }
        } catch {
            Self.logger.warning("\(localizedName): \(property): \(error)")
        }
    }
}
