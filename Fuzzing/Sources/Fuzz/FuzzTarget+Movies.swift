// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

@testable import ObscuraMovies

extension FuzzTarget {
    /// The index entries of an MP4 file, which are counted before FFmpeg reads it.
    static let sampleTables = FuzzTarget { bytes in
        let tables = SampleTables(size: Int64(bytes.count)) { offset, count in
            guard offset >= 0, offset < bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
        _ = tables.isAcceptable
    }

    /// Any container, as a file: its streams and the first frames.
    static let movie = FuzzTarget { bytes in
        let path = "/dev/shm/obscura-fuzz-\(getpid())"
        guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil,
            let reader = try? MovieReader(path)
        else { return }
        for _ in 0..<20 {
            guard let frame = try? reader.nextFrame() else { return }
            precondition(frame.buffer.size.width > 0 && frame.buffer.size.height > 0)
        }
    }
}
