// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraDevices
internal import ObscuraMedia

/// A stand-in for a camera that is not visible yet: the desktop portal shows cameras only after the user has given
/// permission. From then on, the camera itself.
final class PortalCamera: CaptureDriver {
    let uniqueID: String
    private let wanted: CaptureDevice.Position
    private let find: @Sendable () -> CaptureDevice?
    /// The camera, once it was found.
    private let found = Lock<CaptureDevice?>(nil)

    /// Returns a stand-in for the camera that `find` returns after the permission; nil if the portal is not used, or has
    /// given permission already.
    ///
    /// - Parameter name: the text after `camera:` in the name of the source; empty for the default camera.
    static func device(
        _ name: String = "", at position: CaptureDevice.Position = .unspecified,
        find: @escaping @Sendable () -> CaptureDevice?
    ) -> CaptureDevice? {
        guard CameraPortal.isUsed, CameraPortal.shared.access.status != .authorized else { return nil }
        return CaptureDevice(driver: PortalCamera(name, at: position, find: find))
    }

    /// Reports a change of the portal's permission as changes of the cameras; nil if the portal is not used.
    static func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        guard CameraPortal.isUsed else { return nil }
        let hidden = CaptureDevice(driver: PortalCamera("", at: .unspecified) { CaptureDevice.default(for: .video) })
        return CameraPortal.shared.observe {
            // Not on the thread of D-Bus, which devices may need.
            worker.async {
                guard hidden.authorizationStatus == .authorized else { return tell(.connected(hidden)) }
                tell(.disconnected(hidden))
                for device in CaptureDevice.DiscoverySession().devices { tell(.connected(device)) }
            }
        }
    }

    private static let worker = WorkerPool(name: "portal", threads: 1)

    private init(
        _ name: String, at position: CaptureDevice.Position, find: @escaping @Sendable () -> CaptureDevice?
    ) {
        uniqueID = name.isEmpty ? "portal" : "portal:\(name)"
        wanted = position
        self.find = find
    }

    /// The driver of the camera; nil before the permission, and if there is no such camera.
    private var driver: (any CaptureDriver)? {
        if let device = found.withLock({ $0 }) { return device.driver }
        guard authorizationStatus == .authorized, let device = find() else { return nil }
        found.withLock { $0 = device }
        return device.driver
    }

    var localizedName: String { driver?.localizedName ?? "Camera" }
    var modelID: String? { driver?.modelID }
    var manufacturer: String? { driver?.manufacturer }
    var deviceType: CaptureDevice.DeviceType { driver?.deviceType ?? .camera }
    var path: String? { driver?.path }
    var position: CaptureDevice.Position { driver?.position ?? wanted }
    var mediaTypes: Set<MediaType> { driver?.mediaTypes ?? [.video] }
    var formats: [VideoFormat] { driver?.formats ?? [] }
    var audioFormats: [AudioFormat] { driver?.audioFormats ?? [] }
    var authorizationStatus: AuthorizationStatus { CameraPortal.shared.access.status }
    var accessReason: AccessReason? { CameraPortal.shared.access.reason }
    var accessRemedy: Remedy? { CameraPortal.shared.access.remedy }

    func supports(_ format: VideoFormat) -> Bool { driver?.supports(format) ?? true }
    func requestAccess() async -> Bool { await CameraPortal.shared.requestAccess().status == .authorized }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        driver?.makeRun(request, sink: sink, clock: clock) ?? MissingCameraRun(error: missing)
    }

    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? {
        try driver?.makeDecoder(for: format)
    }

    func makeAudioConverter(
        from format: AudioFormat, to other: AudioFormat
    ) throws(ObscuraError) -> (any AudioConverter)? {
        try driver?.makeAudioConverter(from: format, to: other)
    }

    func openControls() throws(ObscuraError) -> any DeviceControls {
        guard let driver else { throw missing }
        return try driver.openControls()
    }

    private var missing: ObscuraError {
        guard authorizationStatus == .authorized else {
            return ObscuraError(
                .capture, .notAuthorized, subject: "camera",
                reason: accessReason?.sentence ?? "this process has no permission to use it", remedy: accessRemedy)
        }
        return ObscuraError(
            .capture, .noSuchDevice, subject: "camera", reason: "the desktop portal offers no such camera",
            remedy: .diagnose)
    }
}

/// The run of a camera that does not exist.
private final class MissingCameraRun: CaptureRun {
    private let error: ObscuraError

    init(error: ObscuraError) {
        self.error = error
    }

    func start() throws -> SourceFormat { throw error }
    func cancel() {}
    func stop() {}
}
