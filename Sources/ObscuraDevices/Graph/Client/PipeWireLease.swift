// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A buffer of a stream in the hands of a reader; returned to the producer on release.
final class PipeWireLease: PixelMemoryOwner {
    let memory: PipeWireMemory
    private let address: UInt
    private let place: Int
    private let returns: PipeWireReturns

    init(_ memory: PipeWireMemory, address: UInt, place: Int, returns: PipeWireReturns) {
        self.memory = memory
        self.address = address
        self.place = place
        self.returns = returns
        memory.markReading(true)
    }

    deinit {
        memory.markReading(false)
        returns.add(PipeWireReturns.Returned(address: address, place: place, memory: memory))
    }

    var dmaDescriptors: [Int32] { memory.dmaDescriptors }
    /// False, since the memory is mapped for reading only.
    var mayWrite: Bool { false }

    /// Returns the frame in the buffer, which is returned to the producer with the release of the last reference.
    ///
    /// - Parameter contents: the range of the frame's bytes in each memory area. The frame must be complete.
    func makeBuffer(
        _ agreement: PipeWireAgreement, shape: FrameShape, size: PixelSize, contents: [Range<Int>]
    ) -> PixelBuffer {
        let planes = shape.planes.compactMap { plane -> PixelStorage.Plane? in
            guard let base = memory.parts[plane.part].base else { return nil }
            return PixelStorage.Plane(
                base: UnsafeMutableRawPointer(mutating: base) + contents[plane.part].lowerBound + plane.offset,
                bytesPerRow: plane.bytesPerRow, byteCount: plane.byteCount)
        }
        return PixelBuffer(
            storage: PixelStorage(planes: planes, owner: self), format: agreement.format.pixelFormat, width: size.width,
            height: size.height, colorSpace: agreement.colorSpace)
    }

    /// Returns a copy of bytes of the first memory area.
    func copyBytes(_ range: Range<Int>) -> [UInt8] {
        guard let part = memory.parts.first, let base = part.base else { return [] }
        return Array(UnsafeRawBufferPointer(start: base, count: part.byteCount)[range.clamped(to: 0..<part.byteCount)])
    }

    /// Returns a copy of floating-point samples in the first memory area.
    func copySamples(_ range: Range<Int>) -> [Float] {
        guard let part = memory.parts.first, let base = part.base else { return [] }
        let bytes = UnsafeRawBufferPointer(start: base, count: part.byteCount)[range.clamped(to: 0..<part.byteCount)]
        let count = bytes.count / MemoryLayout<Float>.stride
        return (0..<count).map { bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Float>.stride, as: Float.self) }
    }
}
