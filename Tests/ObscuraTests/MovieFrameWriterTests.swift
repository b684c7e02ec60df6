// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Frames that come one by one become a movie.
@Suite(.hangLimit) struct MovieFrameWriterTests {
    private func path(_ name: String = #function) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString).mp4").path
    }

    private func frame(_ number: Int, from start: Int64 = 7) throws -> VideoFrame {
        VideoFrame(
            buffer: try PixelBuffer(format: .bgra, width: 64, height: 48),
            presentationTime: MediaTime(value: start * 25 + Int64(number), timescale: 25), hostTime: .now)
    }

    @Test func `a movie has the frames that were handed over, at their times`() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try MovieFrameWriter(path: path)
        for number in 0..<50 { try writer.append(frame(number)) }
        try writer.finish()
        #expect(writer.counts.frames == 50)
        let info = try MovieInfo.read(path)
        #expect(info.frameCount == 50)
        #expect(abs((info.duration?.seconds ?? 0) - 2) < 0.001)
        #expect(throws: ObscuraError.self) { try writer.append(frame(51)) }
    }

    @Test func `a file that is there stays, and one without a frame is none`() throws {
        let path = path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect { try MovieFrameWriter(path: path) } throws: { ($0 as? ObscuraError)?.code == .fileExists }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        let empty = self.path()
        let writer = try MovieFrameWriter(path: empty)
        #expect(throws: ObscuraError.self) { try writer.finish() }
        #expect(!FileManager.default.fileExists(atPath: empty))
    }

    @Test func `closing lets go of who waits`() throws {
        let path = path()
        let writer = try MovieFrameWriter(path: path)
        try writer.append(frame(0))
        writer.close()
        #expect { try writer.append(frame(1)) } throws: { ($0 as? ObscuraError)?.code == .closed }
        try writer.finish(until: .now + waitLimit)
        try FileManager.default.removeItem(atPath: path)
    }
}
