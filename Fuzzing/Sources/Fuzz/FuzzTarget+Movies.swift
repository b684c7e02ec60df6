// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

@testable import ObscuraLibrary
@testable import ObscuraMovies
@testable import ObscuraStudio

extension FuzzTarget {
    private static let boxes: [FuzzSeed] = [
        .movie("mp4", "-c:v", "mpeg4", "-c:a", "aac"),
        .movie("mov", "-movflags", "+frag_keyframe+empty_moov", "-c:v", "mpeg4", "-c:a", "pcm_s16le"),
    ]
    private static let matroska = FuzzSeed.movie("mkv", "-c:v", "mpeg4", "-c:a", "aac")

    /// The index entries of an MP4 file, which are counted before FFmpeg reads it.
    static let sampleTables = FuzzTarget(seeds: boxes) { bytes in
        let tables = SampleTables(size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        return tables.isAcceptable
    }

    /// Any container, as a file: its streams and the first frames.
    static let movie = FuzzTarget(
        seeds: boxes + [
            matroska, .movie("avi", "-c:v", "mjpeg", "-c:a", "pcm_s16le"),
            .movie("ts", "-c:v", "mpeg2video", "-c:a", "mp2"),
        ]
    ) { bytes in
        guard let path = file(of: bytes) else { return false }
        defer { unlink(path) }
        guard let reader = try? MovieReader(path) else { return false }
        var count = 0
        while count < 20, let frame = try? reader.nextFrame() {
            check(frame.buffer.size.width > 0 && frame.buffer.size.height > 0, "a frame has no pixels")
            count += 1
        }
        return count > 0
    }

    /// A movie as the Studio's library reads it: for its list, and for its first frame. An MXF file, which the library
    /// does not read, can take more than these limits.
    static let library = FuzzTarget(seeds: boxes + [matroska]) { bytes in
        guard let path = file(of: bytes) else { return false }
        defer { unlink(path) }
        var options = MediaReading.movieOptions
        options.decoderThreads = 1
        let contents = limited(mebibytes: 256) { try? MovieContents.read(path, options: options) }
        let first = limited(mebibytes: 512) { try? MovieReader(path, options: options).nextFrame() }
        return contents != nil && first != nil
    }

    /// The path of a file with these bytes, in memory; nil if it cannot be written.
    private static func file(of bytes: [UInt8]) -> String? {
        let path = "/dev/shm/obscura-fuzz-\(getpid())"
        return (try? Data(bytes).write(to: URL(fileURLWithPath: path))) == nil ? nil : path
    }
}
