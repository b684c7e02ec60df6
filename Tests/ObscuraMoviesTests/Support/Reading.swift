// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

@testable import ObscuraMovies

/// All that a reader gave, and the error with which it ended.
struct Reading {
    var frames: [VideoFrame] = []
    var error: ObscuraError?

    init(_ reader: MovieReader, limit: Int = .max) {
        do {
            while frames.count < limit, let frame = try reader.nextFrame() { frames.append(frame) }
        } catch {
            self.error = error
        }
    }

    init(_ path: String, _ options: MovieReadingOptions = MovieReadingOptions(), limit: Int = .max) throws {
        self.init(try MovieReader(path, options: options), limit: limit)
    }

    var times: [MediaTime] { frames.map(\.presentationTime) }
}

extension PixelBuffer {
    /// The samples without padding, plane after plane, as `ffmpeg -f rawvideo` writes them.
    var samples: [UInt8] {
        var bytes: [UInt8] = []
        for (index, plane) in planes.enumerated() {
            let stride = bytesPerRow(ofPlane: index)
            withBytes(ofPlane: index) { span in
                for row in 0..<plane.rows {
                    let place = (row * stride)..<(row * stride + plane.rowBytes)
                    span.withUnsafeBytes { bytes.append(contentsOf: $0[place]) }
                }
            }
        }
        return bytes
    }
}

/// Where two runs of bytes begin to differ; nil where they are equal. (An expectation on the arrays themselves
/// would look for the shortest way to edit one into the other, for hours.)
func firstDifference(_ lhs: some Sequence<UInt8>, _ rhs: some Sequence<UInt8>) -> Int? {
    let (lhs, rhs) = (Array(lhs), Array(rhs))
    if lhs == rhs { return nil }
    return zip(lhs, rhs).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lhs.count, rhs.count)
}
