// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import TestSupport

/// The v4l2loopback device of the guest as a camera of compressed pictures, fed by an `ffmpeg` beside the test.
struct LoopbackCamera {
    static let path = "/dev/video9"

    private let feeder: BackgroundTool

    /// Starts the feeder and waits until the device has the format, such as `MJPG`.
    ///
    /// - Parameters:
    ///   - encoder: the arguments of `ffmpeg` that make the stream out of the pictures.
    ///   - input: the arguments of `ffmpeg` that name the pictures; nil for its own test pictures.
    init(
        _ format: String, encoder: [String] = ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], size: String = "320x180",
        rate: Int = 10, input: [String]? = nil
    ) async throws {
        let feeder = try BackgroundTool(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-re"] + (input ?? ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate)"])
                + encoder
                + ["-f", "v4l2", Self.path])
        self.feeder = feeder
        let isReady = try await becomes {
            guard feeder.isRunning else { throw Tool.Failure(description: "ffmpeg ended: \(feeder.words)") }
            // It fails as long as there is no format.
            let said = try? Lab.run("v4l2-ctl", "--device", Self.path, "--get-fmt-video")
            return said?.contains("'\(format)'") ?? false
        }
        guard isReady else { throw Tool.Failure(description: "\(Self.path) did not become \(format)") }
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
