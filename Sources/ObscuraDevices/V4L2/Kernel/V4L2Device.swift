// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// One open video node of the kernel, by the calls of V4L2.
///
/// `Sendable`: the descriptor is constant, and the kernel takes each call by itself. What must happen in
/// order (negotiate, queue, stream) is the business of ``V4L2Streams``.
final class V4L2Device: Sendable {
    /// Such as `/dev/video0`.
    let path: String
    /// What the node is.
    let capabilities: V4L2Capabilities
    let descriptor: Int32
    private let namesHolders: Bool

    /// Opens the node to read and to write, and asks what it is. Another process that streams from it is no
    /// obstacle yet: the kernel refuses a second stream, not a second opening.
    ///
    /// - Throws: ``ObscuraError``: `notAuthorized`, `noSuchDevice`, `deviceInUse`, `deviceDisconnected`, or
    ///   `noSuchDevice` when the node is not a video device at all.
    ///
    /// - Parameter namesHolders: whether the error of a busy device says who has it, for which all processes are
    ///   looked at: not for each of many attempts.
    init(path: String, namesHolders: Bool = true) throws(ObscuraError) {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno, path, "it cannot be opened", namesHolders: namesHolders) }
        var answer = v4l2_capability()
        let status = obscuraQueryCapabilities(descriptor, &answer)
        guard status == 0 else {
            close(descriptor)
            if status == ENOTTY || status == EINVAL { throw .notVideo(path) }
            throw .system(status, path, "it does not say what it is")
        }
        self.path = path
        self.namesHolders = namesHolders
        self.descriptor = descriptor
        capabilities = V4L2Capabilities(answer)
    }

    deinit {
        close(descriptor)
    }

    /// What an error number of a call means.
    func failure(_ status: Int32, _ what: String) -> ObscuraError {
        .system(status, path, what, namesHolders: namesHolders)
    }
}

/// What a node says of itself (VIDIOC_QUERYCAP).
struct V4L2Capabilities: Sendable, Hashable {
    /// The kernel's driver, such as `uvcvideo`.
    let driver: String
    /// The name of the model.
    let card: String
    /// Where it hangs, such as `usb-0000:00:14.0-1`.
    let bus: String
    /// Whether pictures come from it, in the single-planar or the multi-planar interface.
    let isCapture: Bool
    /// Whether its buffers are of the multi-planar interface.
    let isMultiPlanar: Bool
    /// Whether it is a part of a pipeline whose links and formats are set at another node (V4L2_CAP_IO_MC). As
    /// it stands, such a node gives nothing.
    let isInPipeline: Bool
    /// Whether it can hand out its own buffers.
    let canStream: Bool

    init(_ answer: v4l2_capability) {
        // What this node can, where the driver has several nodes.
        let hasOwn = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        self.init(
            driver: kernelText(answer.driver), card: kernelText(answer.card), bus: kernelText(answer.bus_info),
            flags: hasOwn ? answer.device_caps : answer.capabilities)
    }

    /// - Parameter flags: what the node can (V4L2_CAP_…).
    init(driver: String, card: String, bus: String, flags: UInt32) {
        // A device can say anything, and these stand in lists and errors.
        self.driver = DeviceName.shown(driver)
        self.card = DeviceName.shown(card)
        self.bus = DeviceName.shown(bus)
        let has = { (flag: Int32) in flags & UInt32(bitPattern: flag) != 0 }
        // A node that both takes and gives pictures is a converter, not a camera.
        let isConverter = has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE)
        let isSingle = has(V4L2_CAP_VIDEO_CAPTURE)
        isMultiPlanar = !isSingle && has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        isCapture = (isSingle || isMultiPlanar) && !isConverter
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
