// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// An open V4L2 node.
///
/// `Sendable`: the descriptor is constant, and each system call is atomic. ``V4L2Streams`` makes the calls in the
/// required order: negotiate, queue, stream.
final class V4L2Device: Sendable {
    /// The path of the node, such as `/dev/video0`.
    let path: String
    /// The capabilities of the node.
    let capabilities: V4L2Capabilities
    let descriptor: Int32
    private let namesHolders: Bool

    /// Opens the node for reading and writing, and queries it. Succeeds while another process streams from it: the
    /// kernel rejects a second stream, not a second open.
    ///
    /// - Parameter namesHolders: whether the error of a busy device names the processes that hold it. Requires a scan
    ///   of all processes, so not for repeated attempts.
    /// - Throws: ``ObscuraError``: `notAuthorized`, `noSuchDevice` (also for a node that is no video device),
    ///   `deviceInUse`, `deviceDisconnected`.
    init(path: String, namesHolders: Bool = true) throws(ObscuraError) {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, path, "it cannot be opened", namesHolders: namesHolders) }
        var answer = v4l2_capability()
        let status = obscuraQueryCapabilities(descriptor, &answer)
        guard status == 0 else {
            close(descriptor)
            if status == ENOTTY || status == EINVAL { throw .notVideo(path) }
            throw .system(status, path, "it cannot be queried")
        }
        self.path = path
        self.namesHolders = namesHolders
        self.descriptor = descriptor
        capabilities = V4L2Capabilities(answer)
    }

    deinit {
        close(descriptor)
    }

    /// Returns the error of a failed call: `deviceDisconnected` if the device is gone, whatever the errno of the call. A
    /// call that is under way while a driver removes its device may fail with another one.
    func failure(_ status: Int32, _ what: String) -> ObscuraError {
        .system(isConnected ? status : ENODEV, path, what, namesHolders: namesHolders)
    }

    private var isConnected: Bool {
        var answer = v4l2_capability()
        return obscuraQueryCapabilities(descriptor, &answer) != ENODEV
    }
}

/// The capabilities of a node (VIDIOC_QUERYCAP).
struct V4L2Capabilities: Sendable, Hashable {
    /// The kernel's driver, such as `uvcvideo`.
    let driver: String
    /// The model.
    let card: String
    /// The place on the bus, such as `usb-0000:00:14.0-1`.
    let bus: String
    /// Whether it captures frames, in the single-planar or the multi-planar interface.
    let isCapture: Bool
    /// Whether it captures descriptions of frames.
    let isMetadata: Bool
    /// Whether it uses the multi-planar interface.
    let isMultiPlanar: Bool
    /// Whether it is a part of a pipeline whose links and formats are configured at another node (V4L2_CAP_IO_MC).
    /// Without that configuration it delivers no frames.
    let isInPipeline: Bool
    /// Whether it supports streaming with its own buffers.
    let canStream: Bool
    /// Whether another program writes its frames.
    var isFed: Bool { driver == NodeDescription.feedingDriver }

    init(_ answer: v4l2_capability) {
        // The capabilities of this node, not of all nodes of the driver.
        let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        self.init(
            driver: kernelText(answer.driver), card: kernelText(answer.card), bus: kernelText(answer.bus_info),
            flags: hasOwn ? answer.device_caps : answer.capabilities)
    }

    /// Creates the capabilities.
    ///
    /// - Parameter flags: the node's V4L2_CAP_… flags.
    init(driver: String, card: String, bus: String, flags: UInt32) {
        // Cleaned, since these texts from the device appear in lists and errors.
        self.driver = DeviceName.shown(driver)
        self.card = DeviceName.shown(card)
        self.bus = DeviceName.shown(bus)
        let has = { (flag: Int32) in flags & UInt32(bitPattern: flag) != 0 }
        // A node with input and output is a converter, not a camera.
        let isConverter = has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE)
        let isSingle = has(V4L2_CAP_VIDEO_CAPTURE)
        isMultiPlanar = !isSingle && has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        isCapture = (isSingle || isMultiPlanar) && !isConverter
        isMetadata = has(V4L2_CAP_META_CAPTURE)
        isInPipeline = has(V4L2_CAP_IO_MC)
        canStream = has(V4L2_CAP_STREAMING)
    }
}

extension ObscuraError {
    fileprivate static func notVideo(_ path: String) -> ObscuraError {
        ObscuraError(
            .capture, .noSuchDevice, subject: path, reason: "it is not a video device",
            remedy: .listDevices)
    }
}
