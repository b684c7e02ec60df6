// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

/// Small files whose numbers claim much. Memory is that of the whole process: each container has one of its own.
@Suite(.hangLimit, .withoutSanitizer) struct MovieMemoryTests {
    static let containers = [
        // Not mxf: 14 KB of it take half a gigabyte in FFmpeg 5.1. The Studio's library does not read it.
        "mp4", "fragmented", "mov", "matroska", "avi", "flv", "mpegts", "mpeg", "ogg", "asf", "nut", "gxf",
        "swf",
        "rm", "wtv", "wav", "w64", "caf", "aiff", "flac", "tta", "wv", "au", "apng", "gif", "ivf",
    ]

    @Test("No number of a small file makes reading it take much memory", arguments: containers)
    func numbers(container: String) async throws {
        let path = try Self.movie(container)
        await #expect(processExitsWith: .success) { [path = path as String, container = container as String] in
            try NumberDamage(path, container).run(step: isLongForm ? 1 : 211)
        }
    }

    /// Some kilobytes: two frames, or a moment of sound.
    private static func movie(_ container: String) throws -> String {
        let pictures = ["-f", "lavfi", "-i", "testsrc2=s=32x32:r=10:d=0.3"]
        let sound = ["-f", "lavfi", "-i", "sine=r=8000:d=0.1"]
        let small = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        let arguments =
            switch container {
            case "mp4", "mov", "matroska", "flv", "mpegts": pictures + sound + small
            case "fragmented":
                pictures + sound + small + ["-movflags", "+frag_keyframe+empty_moov+global_sidx", "-f", "mp4"]
            case "avi", "asf", "nut", "wtv":
                pictures + sound + ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"]
            case "mpeg": pictures + ["-r", "25", "-c:v", "mpeg2video"]
            case "ogg": pictures + ["-c:v", "libtheora"]
            case "gxf":
                [
                    "-f", "lavfi", "-i", "testsrc2=s=720x576:r=25:d=0.08", "-f", "lavfi", "-i", "sine=r=48000:d=0.08",
                    "-c:v", "mpeg2video", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
                ]
            case "swf": pictures + ["-c:v", "flv"]
            case "rm": pictures + ["-c:v", "rv10"]
            case "ivf": pictures + ["-c:v", "libvpx"]
            case "apng", "gif": pictures
            case "caf", "aiff", "au": sound + ["-c:a", "pcm_s16be"]
            default: sound
            }
        let format = container == "fragmented" ? "mp4" : container
        return try TestMovies.path("memory.\(container)", arguments + ["-fflags", "+bitexact", "-f", format])
    }
}

/// Copies of a movie, each with another number replaced by one that is too large.
private struct NumberDamage {
    private let whole: [UInt8]
    private let path: String
    private let container: String

    /// For a listing, and with a picture.
    private static let mostKilobytes = (listing: 256 << 10, picture: 512 << 10)
    private static let numbers: [[UInt8]] = [
        // 40 million, in both orders; the largest ones with and without a sign; a large byte.
        [0x02, 0x62, 0x5a, 0x00], [0x00, 0x5a, 0x62, 0x02], [0x7f, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0x7f],
        [0xff, 0xff, 0xff, 0xff], [0x10, 0x00, 0x00, 0x00], [0x00, 0x00, 0x00, 0x10], [0x00, 0x00, 0xff], [0xff, 0x7f],
    ]
    private static let head = 3000
    private static let tail = 600

    init(_ path: String, _ container: String) throws {
        whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        self.path = "\(path).\(getpid())"
        self.container = container
    }

    func run(step: Int) throws {
        defer { unlink(path) }
        try look(step, limit: Self.mostKilobytes.listing) { _ = try? MovieContents.read(path) }
        try look(step, limit: Self.mostKilobytes.picture) {
            var options = MovieReadingOptions()
            options.maximumSize = PixelSize(width: 8192, height: 8192)
            options.decoderThreads = 1
            _ = try? MovieReader(path, options: options).nextFrame()
        }
    }

    private func look(_ step: Int, limit: Int, _ read: () -> Void) throws {
        // The peak is that of all copies up to now: it is begun anew only after one that is reported.
        var peak = MemoryPeak()
        var count = 0
        for place in whole.indices where place < Self.head || place >= whole.count - Self.tail {
            for (index, number) in Self.numbers.enumerated() where (place * Self.numbers.count + index) % step == 0 {
                var bytes = whole
                let end = min(bytes.count, place + number.count)
                bytes.replaceSubrange(place..<end, with: number.prefix(end - place))
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                read()
                count += 1
                let growth = peak.growthKilobytes
                guard growth > limit else { continue }
                Issue.record("\(container), \(number) at \(place): \(growth >> 10) MiB of \(limit >> 10)")
                peak = MemoryPeak()
            }
        }
        try #require(count >= 5)
    }
}
