// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraMedia
import Testing

extension PixelBuffer {
    /// A picture each plane of which ends where a page ends (or begins where one begins) whose neighbour may not be
    /// touched: what reads or writes beyond it ends the test run.
    static func guarded(_ format: PixelFormat, _ width: Int, _ height: Int, atEnd: Bool) throws -> PixelBuffer {
        let page = 4096
        var planes: [PixelStorage.Plane] = []
        var maps: [(base: UInt, length: Int)] = []
        for layout in format.planes(width: width, height: height) {
            let byteCount = layout.rowBytes * layout.rows
            let used = (byteCount + page - 1) / page * page
            let map = try #require(
                mmap(nil, used + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            #expect(mprotect(map, page, PROT_NONE) == 0)
            #expect(mprotect(map + page + used, page, PROT_NONE) == 0)
            let base = map + page + (atEnd ? used - byteCount : 0)
            memset(base, 100, byteCount)
            planes.append(PixelStorage.Plane(base: base, bytesPerRow: layout.rowBytes, byteCount: byteCount))
            maps.append((UInt(bitPattern: map), used + 2 * page))
        }
        let owned = maps
        let storage = PixelStorage(planes: planes) {
            for map in owned { munmap(UnsafeMutableRawPointer(bitPattern: map.base), map.length) }
        }
        return PixelBuffer(storage: storage, format: format, width: width, height: height)
    }

    /// The same picture in ordinary memory.
    static func flat(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
        var picture = try PixelBuffer(format: format, width: width, height: height)
        for plane in picture.planes.indices {
            try picture.withMutableBytes(ofPlane: plane) { bytes in
                bytes.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 100) }
            }
        }
        return picture
    }
}
