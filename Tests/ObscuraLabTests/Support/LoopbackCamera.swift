// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import TestSupport

/// The v4l2loopback device of the guest as a camera of compressed pictures, fed by an `ffmpeg` beside the test.
struct LoopbackCamera {
    static let path = "/dev/video9"

    private let feeder: BackgroundTool

    /// Starts the feeder and waits until the device has its format.
    init() async throws {
        let feeder = try BackgroundTool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10", "-c:v", "mjpeg",
                "-pix_fmt", "yuvj420p", "-f", "v4l2", Self.path,
            ])
        self.feeder = feeder
        let isReady = try await becomes {
            guard feeder.isRunning else { throw Tool.Failure(description: "ffmpeg ended: \(feeder.words)") }
            // It fails as long as there is no format.
            let said = try? Lab.run("v4l2-ctl", "--device", Self.path, "--get-fmt-video")
            return said?.contains("'MJPG'") ?? false
        }
        guard isReady else { throw Tool.Failure(description: "\(Self.path) did not become a camera") }
    }

    /// The feeder holds its breath.
    func halt() { kill(feeder.identifier, SIGSTOP) }

    /// The feeder breathes again.
    func goOn() { kill(feeder.identifier, SIGCONT) }

    /// The feeder ends; the device stays.
    func stop() {
        feeder.stop()
    }
}
