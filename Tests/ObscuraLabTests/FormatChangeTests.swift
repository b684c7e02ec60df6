// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// A loopback device whose writer changes the format to one with the same number of bytes, without an event.
@Suite("A format that changes during a stream", .guest, .serialized)
struct FormatChangeTests {
    private static let size = CameraSession.small
    /// Green in BT.601, limited range.
    private static let (luma, blueDifference, redDifference): (UInt8, UInt8, UInt8) = (145, 54, 34)
    private static let yuyv = frame([luma, blueDifference, luma, redDifference])
    private static let uyvy = frame([blueDifference, luma, redDifference, luma])

    private static func frame(_ pixelPair: [UInt8]) -> [UInt8] {
        Array(repeatElement(pixelPair, count: size.width * size.height / 2).joined())
    }

    @Test("No frame of the new format is delivered in the old one, and the error names the cause")
    func changedFormat() async throws {
        let camera = try HandFedCamera("YUYV", size: Self.size)
        try camera.give(Self.yuyv)
        let (report, folder) = (try FormatReport(), try TemporaryFolder())
        let tool = try BackgroundTool(
            "env",
            [
                report.variable, Tool.product("obscura"), "extract", "camera:\(LoopbackCamera.path)", "-o",
                folder("%04d.bgra"),
            ])
        var next = HostTime.now
        #expect(
            try await becomes {
                if HostTime.now >= next {
                    try camera.give(Self.yuyv)
                    next = .now + .milliseconds(100)
                }
                return !tool.isRunning || !Self.frames(folder).isEmpty
            })
        try report.change()
        try camera.give(Self.uyvy)
        #expect(try await becomes { try !tool.isRunning || Self.isOtherColor(Self.frames(folder).suffix(1), folder) })
        #expect(try !Self.isOtherColor(Self.frames(folder), folder))
        #expect(!tool.isRunning && tool.words.contains("its input signal has changed"), "\(tool.words)")
        #expect(!Self.frames(folder).isEmpty)
    }

    private static func frames(_ folder: TemporaryFolder) -> [String] {
        folder.names().filter { $0.hasSuffix(".bgra") }
    }

    /// Whether one of the frames is not green.
    private static func isOtherColor(_ names: [String], _ folder: TemporaryFolder) throws -> Bool {
        try names.contains { name in
            zip(try folder.bytes(of: name), [0, 255, 0]).contains { abs(Int($0) - $1) > 3 }
        }
    }

    @Test("The driver keeps the format while a reader has the device open")
    func keptFormat() async throws {
        let camera = try HandFedCamera("YUYV", size: Self.size)
        try camera.give(Self.yuyv)
        let output = VideoDataOutput()
        let run = try await CameraSession(LoopbackCamera.path, outputs: [output])
        try await run.session.start()
        // If this is accepted, the test above needs no library.
        #expect(throws: Tool.Failure.self) {
            try Lab.run("v4l2-ctl", "--device", LoopbackCamera.path, "--set-fmt-video-out=pixelformat=UYVY")
        }
        await run.session.stop()
    }
}
