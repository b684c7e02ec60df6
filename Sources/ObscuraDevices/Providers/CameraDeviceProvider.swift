// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A provider of the cameras of this machine, from the kernel (V4L2) and from PipeWire. A camera that both provide is
/// listed only once.
///
/// By default, PipeWire is used in these cases (see ``CaptureDevice/preferredDriver``):
/// - in a sandbox;
/// - for cameras that only PipeWire provides, such as those that need libcamera, and those of other programs;
/// - for cameras whose device node this process has no permission to open.
///
/// The name of a camera is `camera:` followed by one of these:
/// - the unique id of the camera;
/// - a device node, such as `/dev/video2`;
/// - the name of the camera's node in PipeWire, if only PipeWire provides the camera;
/// - a name of the camera in `/dev/v4l/by-id` or `/dev/v4l/by-path`.
public struct CameraDeviceProvider: CaptureDeviceProvider {
    private let finder: MachineCameraFinder
    private let catalog: DeviceCatalog

    /// Returns a provider of the cameras of this machine. Create only one per process, because each provider uses a
    /// thread to monitor the cameras.
    ///
    /// - Parameter decoders: the decoders for cameras with inter-coded frames (H.264).
    public static func machine(decoders: any FrameDecoderProvider) -> CameraDeviceProvider {
        let remote = PipeWireRemote.cameras
        let finder = MachineCameraFinder(
            kernel: CameraFinder(probe: KernelProbe()), remote: remote, isSandboxed: { CameraPortal.isUsed })
        let catalog = DeviceCatalog(prefix: "camera:", finder: finder) { device, monitor in
            guard let node = device.pipeWireNode else {
                return V4L2Driver(device: device, finder: finder, monitor: monitor, decoders: decoders)
            }
            return PipeWireDriver(
                device: device, node: node, finder: finder, monitor: monitor, remote: remote, decoders: decoders)
        }
        return CameraDeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected cameras, the default camera first. Reading the property opens each device node to query it, and
    /// connects to PipeWire.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the camera with a name such as `camera:/dev/video2`; nil if the name does not begin with `camera:`, or
    /// if no camera has the name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Calls `tell` for each camera that is connected or disconnected, until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the cameras.
    package var findings: [Diagnosis.Finding] { finder.findings }

    /// The nodes that are not offered as cameras.
    package var nodesNotOffered: [Diagnosis.Finding] { finder.kernel.nodesNotOffered }
}
