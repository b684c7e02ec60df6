// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraDrivers

/// A source at a position that its driver does not know, such as a test pattern as the front camera.
struct PositionedDriver: CaptureDriver {
    private let driver: any CaptureDriver
    let position: CaptureDevice.Position
    /// Two positions of the same source are two devices.
    let uniqueID: String

    init(_ driver: any CaptureDriver, at position: CaptureDevice.Position) {
        self.driver = driver
        self.position = position
        uniqueID = "\(position.rawValue):\(driver.uniqueID)"
    }

    var localizedName: String { driver.localizedName }
    var modelID: String? { driver.modelID }
    var manufacturer: String? { driver.manufacturer }
    /// Apps on phones look for built-in cameras only.
    var deviceType: CaptureDevice.DeviceType { .camera }
    var path: String? { driver.path }
    var mediaTypes: Set<MediaType> { driver.mediaTypes }
    var formats: [VideoFormat] { driver.formats }
    var audioFormats: [AudioFormat] { driver.audioFormats }
    var isLive: Bool { driver.isLive }
    var authorizationStatus: AuthorizationStatus { driver.authorizationStatus }
    var accessReason: AccessReason? { driver.accessReason }
    var accessRemedy: Remedy? { driver.accessRemedy }

    func supports(_ format: VideoFormat) -> Bool { driver.supports(format) }
    func requestAccess() async -> Bool { await driver.requestAccess() }
    func openControls() throws(ObscuraError) -> any DeviceControls { try driver.openControls() }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        driver.makeRun(request, sink: sink, clock: clock)
    }

    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try driver.makeDecoder(for: format)
    }

    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try driver.makeAudioConverter(from: format, to: other)
    }
}
