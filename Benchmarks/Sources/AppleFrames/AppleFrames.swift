// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Reads BGRA frames of the built-in camera, 1280x720, with one of the APIs, and prints the CPU time of a frame in
/// microseconds: that of all threads of the process, including the rendering of the test pattern.
///
///     AppleFrames loop|delegate|avfoundation RATE COUNT
@main
struct AppleFrames {
    /// The frames that come before the measurement begins.
    private static let warmUp = 30

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let rate = Int(arguments[2]), let count = Int(arguments[3]), count > 0 else {
            print("usage: AppleFrames loop|delegate|avfoundation RATE COUNT")
            return
        }
        let camera = "pattern:1280x720@\(rate)"
        let meter = FrameMeter(warmUp: warmUp, count: count)
        switch arguments[1] {
        case "loop": try await NativeCamera.readInLoop(camera, meter)
        case "delegate": try await NativeCamera.readWithDelegate(camera, meter)
        case "avfoundation": try await AppleCamera.read(camera, meter)
        default: print("there is no API '\(arguments[1])'")
        }
        if let microseconds = meter.microsecondsPerFrame { print(microseconds) }
    }
}
