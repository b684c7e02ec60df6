// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// The machine's V4L2 cameras, listed or by name: `camera:` and a unique id, a node such as `/dev/video2`, or a name
/// that udev gives it.
public struct V4L2DeviceProvider: CaptureDeviceProvider {
    private let finder: CameraFinder
    private let catalog: DeviceCatalog

    /// Returns the cameras of this machine. Create one provider per process: one thread monitors all cameras.
    ///
    /// - Parameter decoders: for cameras with inter-coded frames (H.264).
    public static func machine(decoders: any FrameDecoderProvider) -> V4L2DeviceProvider {
        let finder = CameraFinder(probe: KernelProbe())
        let catalog = DeviceCatalog(prefix: "camera:", finder: finder) { device, monitor in
            V4L2Driver(device: device, finder: finder, monitor: monitor, decoders: decoders)
        }
        return V4L2DeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected cameras, the default one first. Opens each node to query it.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the camera with the name of a source; nil for another name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Reports connected and disconnected cameras until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the cameras.
    package var findings: [Diagnosis.Finding] { finder.findings }
}
