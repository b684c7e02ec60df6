// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraMedia
import TestSupport

/// The loopback device, fed frame by frame by the test itself.
final class HandFedCamera: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - format: V4L2's name of the format, such as `MJPG`.
    ///   - rate: how many pictures a second it says that it gives.
    init(_ format: String, size: PixelSize, rate: Int = 30) throws {
        try Lab.run("v4l2-ctl", "--device", LoopbackCamera.path, "--set-ctrl", "keep_format=1")
        try Lab.run(
            "v4l2-ctl", "--device", LoopbackCamera.path, "--set-output-parm", "\(rate)",
            "--set-fmt-video-out=width=\(size.width),height=\(size.height),pixelformat=\(format)")
        descriptor = open(LoopbackCamera.path, O_WRONLY)
        guard descriptor >= 0 else { throw Tool.Failure(description: "\(LoopbackCamera.path): \(errno)") }
    }

    deinit {
        close(descriptor)
        _ = try? Lab.run("v4l2-ctl", "--device", LoopbackCamera.path, "--set-ctrl", "keep_format=0")
    }

    func give(_ bytes: [UInt8]) throws {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw Tool.Failure(description: "the camera took \(count): \(errno)") }
    }
}
