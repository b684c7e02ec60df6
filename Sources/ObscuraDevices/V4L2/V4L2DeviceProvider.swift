// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// The machine's cameras of V4L2, by discovery or by name: `camera:` and a unique id, a node such as
/// `/dev/video2`, or one of udev's names for it.
public struct V4L2DeviceProvider: CaptureDeviceProvider {
    private let finder: CameraFinder
    private let monitor: CameraMonitor
    private let makeDriver: @Sendable (FoundCamera) -> any CaptureDriver

    /// - Parameters:
    ///   - finder: looks at the machine.
    ///   - monitor: tells of what comes and goes; of the same machine.
    ///   - makeDriver: makes what runs a camera.
    package init(
        finder: CameraFinder, monitor: CameraMonitor,
        makeDriver: @escaping @Sendable (FoundCamera) -> any CaptureDriver
    ) {
        self.finder = finder
        self.monitor = monitor
        self.makeDriver = makeDriver
    }

    /// The cameras at this moment, the default one first. Each node is opened for a moment, to ask what it is.
    public var devices: [CaptureDevice] { finder.cameras.map(device) }

    /// The camera that `source` names, if it is one of these.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        guard source.hasPrefix("camera:") else { return nil }
        return finder.camera(named: String(source.dropFirst("camera:".count))).map(device)
    }

    /// Tells of cameras that come and go.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        monitor.observe { [makeDriver] change in
            switch change {
            case .connected(let camera): tell(.connected(CaptureDevice(driver: makeDriver(camera))))
            case .disconnected(let camera): tell(.disconnected(CaptureDevice(driver: makeDriver(camera))))
            }
        }
    }

    /// What there is to say of these cameras.
    package var findings: [Diagnosis.Finding] { finder.findings }

    private func device(_ camera: FoundCamera) -> CaptureDevice {
        CaptureDevice(driver: makeDriver(camera))
    }
}
