// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The discovery of all cameras of this machine: those of the kernel and those of PipeWire, each once.
struct MachineCameraFinder: DeviceFinder {
    let kernel: CameraFinder
    let remote: PipeWireRemote
    private let isSandboxed: @Sendable () -> Bool

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - kernel: the cameras of the kernel.
    ///   - remote: the way to PipeWire.
    ///   - isSandboxed: whether the program runs in a sandbox.
    init(kernel: CameraFinder, remote: PipeWireRemote, isSandboxed: @escaping @Sendable () -> Bool = { false }) {
        self.kernel = kernel
        self.remote = remote
        self.isSandboxed = isSandboxed
    }

    var files: FileTree { kernel.files }
    var eventFilter: DeviceEventFilter { kernel.eventFilter }
    var graphFilter: PipeWireChanges.Filter? {
        PipeWireChanges.Filter(remote: remote) { $0.isCamera }
    }

    /// The cameras, the default one first. Opens each node of the kernel, and connects with PipeWire.
    var devices: [FoundDevice] {
        let listing = kernel.listing
        return CameraMerge(
            kernel: listing.cameras, pipeWire: pipeWireCameras, otherPaths: listing.otherPaths,
            isSandboxed: isSandboxed(), preferred: CaptureDevice.preferredDriver,
            kernelNumber: { files.status(of: $0).map { UInt64($0.st_rdev) } }
        ).cameras
    }

    func path(named name: String) -> String? { kernel.path(named: name) }

    func path(of device: FoundDevice) -> String? {
        guard let node = device.pipeWireNode else { return kernel.path(of: device) }
        return graph.path(ofNode: node)
    }

    func noteDuplicates() { kernel.noteDuplicates() }

    var graph: PipeWireGraph { PipeWireGraph(remote) }

    /// The cameras of PipeWire; empty without a daemon.
    private var pipeWireCameras: [PipeWireCamera] {
        guard let objects = try? graph.objects() else { return [] }
        return PipeWireCamera.all(in: objects, settings: kernel.settings?.readForDiscovery() ?? DeviceSettings())
    }
}
