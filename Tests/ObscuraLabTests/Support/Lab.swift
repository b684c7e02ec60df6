// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraMedia
import TestSupport
import Testing

/// The real devices of a kernel that the tests of this target run on: those of the guest of `Tests/Lab`, or the
/// camera that `OBSCURA_TEST_CAMERA` names.
enum Lab {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether this is the guest, with its cameras and its loopback device.
    static let isGuest = environment["OBSCURA_LAB"] == "1"

    /// Whether this process may do what only root may.
    static let isRoot = geteuid() == 0

    /// Whether the guest also has the services of a desktop (`Tests/Lab/lab run --desktop`).
    static let isDesktop = isGuest && environment["OBSCURA_LAB_DESKTOP"] == "1"

    /// A folder whose files come back to the host.
    static let out = URL(fileURLWithPath: environment["OBSCURA_LAB_OUT"] ?? NSTemporaryDirectory())

    /// The cameras of the guest: vivid's, or emulated USB cameras with `OBSCURA_LAB_CAMERA=uvc`.
    static let cameras: any GuestCamera.Type =
        environment["OBSCURA_LAB_CAMERA"] == "uvc" ? USBCamera.self : VividCamera.self

    /// The node of a camera on which any test of a camera must hold.
    static let camera: String? = environment["OBSCURA_TEST_CAMERA"] ?? (try? cameras.all().first?.path)

    /// What the open descriptors of this process are that a device may leave behind: its node, its buffers'
    /// DMA-BUFs, and what a run waits with. The runtime's own come and go. Nodes are without their number: it is
    /// another one where a reader still had a picture of the old node when the camera came back.
    static func descriptors() throws -> [String] {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .filter { link in ["/dev/video", "/dev/snd", "dmabuf", "inotify"].contains { link.contains($0) } }
            .map { link in link.hasPrefix("/dev/video") ? "/dev/video" : link }
            .sorted()
    }

    /// A measured number, for whoever reads the run; it decides nothing.
    static func report(_ words: String) {
        print("lab: \(words)")
    }

    /// Runs a program; throws when it says that it failed.
    @discardableResult
    static func run(_ tool: String, _ arguments: String...) throws -> String {
        String(decoding: try Tool.run(tool, arguments), as: UTF8.self)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that hold on any camera.
    static var anyCamera: Self {
        .enabled(
            if: Lab.camera != nil && access(Lab.camera ?? "", F_OK) == 0,
            "there is no camera; it is for Tests/Lab/lab or for OBSCURA_TEST_CAMERA=/dev/video0")
    }

    /// For tests that unplug, steer or feed the cameras of the guest.
    static var guest: Self {
        .enabled(if: Lab.isGuest && Lab.isRoot, "it is for root in the guest of Tests/Lab/lab")
    }

    /// For tests on cameras that PipeWire provides in the guest.
    static var desktop: Self {
        .enabled(if: Lab.isDesktop && Lab.isRoot, "it is for a desktop in the guest: Tests/Lab/lab run --desktop")
    }

    /// For tests of a user who may not touch the cameras of the guest.
    static var unprivilegedGuest: Self {
        .enabled(if: Lab.isGuest && !Lab.isRoot, "it is for the unprivileged user of Tests/Lab/lab")
    }
}
