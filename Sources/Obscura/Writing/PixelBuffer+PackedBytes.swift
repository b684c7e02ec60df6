// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension PixelBuffer {
    /// How many bytes the planes have without padding.
    public var packedByteCount: Int {
        planes.reduce(0) { $0 + $1.rowBytes * $1.rows }
    }

    /// The planes one after the other, each row after row without padding: how raw video is stored.
    public func packedBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: packedByteCount)
        copyPackedBytes(to: &bytes, at: 0)
        return bytes
    }

    /// Copies the planes without padding to `offset`.
    ///
    /// - Precondition: there is room for ``packedByteCount`` bytes.
    func copyPackedBytes(to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        var target = span.mutableBytes
        var offset = offset
        for (plane, layout) in planes.enumerated() {
            let bytesPerRow = bytesPerRow(ofPlane: plane)
            withBytes(ofPlane: plane) { source in
                for row in 0..<layout.rows {
                    let begin = row * bytesPerRow
                    target.copy(source.extracting(begin..<begin + layout.rowBytes), to: offset)
                    offset += layout.rowBytes
                }
            }
        }
    }
}

extension MutableRawSpan {
    /// Copies `source` to `offset`, in steps of a cache line: a copy byte by byte is many times slower.
    fileprivate mutating func copy(_ source: RawSpan, to offset: Int) {
        precondition(offset >= 0 && offset + source.byteCount <= byteCount)
        var position = 0
        while position + 64 <= source.byteCount {
            let line = source.unsafeLoadUnaligned(fromByteOffset: position, as: SIMD64<UInt8>.self)
            storeBytes(of: line, toByteOffset: offset + position, as: SIMD64<UInt8>.self)
            position += 64
        }
        while position < source.byteCount {
            let byte = source.unsafeLoad(fromByteOffset: position, as: UInt8.self)
            storeBytes(of: byte, toByteOffset: offset + position, as: UInt8.self)
            position += 1
        }
    }
}
