// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Colours, turns and mirrors of movies")
struct MovieColorTests {
    private static func space(_ name: String, _ tags: [String]) throws -> ColorSpace {
        let path = try TestMovies.path(
            "colour-\(name)", TestMovies.source(seconds: "0.2") + ["-pix_fmt", "yuv420p"] + tags)
        let reader = try MovieReader(path)
        let frame = try #require(try reader.nextFrame())
        #expect(reader.info?.colorSpace == frame.buffer.colorSpace)
        return frame.buffer.colorSpace
    }

    private static let x264 = ["-c:v", "libx264", "-x264-params"]

    @Test("Untagged pictures are taken for BT.601 limited, and say so")
    func untagged() throws {
        #expect(try Self.space("none.mp4", ["-c:v", "libx264"]) == .assumed)
    }

    @Test("Tags are kept")
    func tagged() throws {
        let bt709 = try Self.space(
            "709.mp4", Self.x264 + ["colorprim=bt709:transfer=bt709:colormatrix=bt709:fullrange=off"])
        #expect(bt709 == .bt709)
        let bt2020 = try Self.space(
            "2020.mp4",
            Self.x264 + ["colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:fullrange=on"])
        #expect(bt2020 == ColorSpace(matrix: .bt2020, range: .full, primaries: .bt2020, transfer: .pq))
    }

    @Test("What half-tagged pictures say is taken, the rest assumed")
    func halfTagged() throws {
        let matrixOnly = try Self.space("matrix.mp4", Self.x264 + ["colormatrix=bt709"])
        #expect(matrixOnly.matrix == .bt709 && matrixOnly.range == .limited && !matrixOnly.isAssumed)
        let rangeOnly = try Self.space("range.mp4", Self.x264 + ["fullrange=on"])
        #expect(rangeOnly.matrix == .bt601 && rangeOnly.range == .full && rangeOnly.isAssumed)
    }

    @Test("JPEG pictures are BT.601 full")
    func jpeg() throws {
        let space = try Self.space("jpeg.avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"])
        var expected = ColorSpace.jpeg
        expected.isAssumed = true
        #expect(space == expected)
    }

    @Test("RGB pictures are sRGB")
    func rgb() throws {
        #expect(try Self.space("rgb.mkv", ["-c:v", "ffv1", "-pix_fmt", "bgra"]).matrix == ColorSpace.sRGB.matrix)
    }

    @Test("The turn that the container asks for brings the picture upright", arguments: [90, 180, 270])
    func turns(degrees: Int) throws {
        // Since FFmpeg 6 the option is another one; the judge is ffprobe in both.
        let source = try TestMovies.h264()
        let path: String
        do {
            path = try TestMovies.path(
                "turn-\(degrees).mp4", ["-i", source, "-c", "copy", "-metadata:s:v:0", "rotate=\(degrees)"])
            try #require(try Probe(path).rotation != nil)
        } catch {
            Issue.record("this ffmpeg writes no display matrix")
            return
        }
        let frame = try #require(try MovieReader(path).nextFrame())
        let rotation = try #require(try Probe(path).rotation)
        // ffprobe counts against the clock.
        #expect(frame.attachments.uprightTurn == Orientation(degrees: -rotation))
        #expect(!frame.attachments.isMirrored)
        // And ffmpeg itself turns the picture the same way.
        let upright = try Tool.run(
            "ffmpeg", ["-v", "error", "-i", path, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-"])
        let luma = Array(frame.buffer.samples.prefix(160 * 90))
        #expect(firstDifference(Self.turned(luma, 160, 90, frame.attachments.uprightTurn), upright) == nil)
    }

    /// The samples turned clockwise.
    private static func turned(_ samples: [UInt8], _ width: Int, _ height: Int, _ turn: Orientation) -> [UInt8] {
        let (columns, rows) = turn.isTransposed ? (height, width) : (width, height)
        return (0..<rows * columns).map { index in
            let (x, y) = (index % columns, index / columns)
            switch turn {
            case .up: return samples[y * width + x]
            case .right: return samples[(height - 1 - x) * width + y]
            case .down: return samples[(height - 1 - y) * width + width - 1 - x]
            case .left: return samples[x * width + width - 1 - y]
            }
        }
    }
}
