// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A kernel buffer mapped into this process, with DMA-BUF descriptors on request. The mapping may outlive the stream
/// and the device: the kernel keeps mapped memory.
///
/// `Sendable` is proved by use: the pointers are constant, and the kernel writes only to queued buffers, which no
/// reader holds.
final class V4L2Memory: @unchecked Sendable {
    /// One memory area.
    struct Part {
        let base: UnsafeMutableRawPointer
        let byteCount: Int
    }

    let parts: [Part]
    private let shape: FrameShape
    /// The planes of a frame at the beginning of the parts, so that most frames need not make them.
    private let planesFromStart: [PixelStorage.Plane]
    private let index: UInt32
    /// The DMA-BUF descriptor of each part; empty if the driver does not support them, nil until the first request.
    private let exported = Lock<[Int32]?>(nil)

    /// Maps the buffer with this index, which the driver has allocated for frames of this shape.
    init(device: V4L2Device, index: UInt32, shape: FrameShape) throws(ObscuraError) {
        let areas = try Self.areas(of: device, index: index)
        let needed = shape.byteCounts
        guard needed.count <= areas.count, zip(needed, areas).allSatisfy({ $0 <= $1.length }) else {
            throw ObscuraError(
                .capture, .deviceFailed, subject: device.path,
                reason: "its driver's buffers are smaller than its frames")
        }
        var parts: [Part] = []
        for area in areas {
            let base = mmap(
                nil, area.length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor, area.offset)
            guard let base, base != MAP_FAILED else {
                let status = errno
                for part in parts { munmap(part.base, part.byteCount) }
                throw device.failure(status, "its memory cannot be mapped")
            }
            parts.append(Part(base: base, byteCount: area.length))
        }
        self.parts = parts
        self.shape = shape
        self.index = index
        planesFromStart = shape.planes(in: parts) { _ in 0 }
    }

    deinit {
        for part in parts { munmap(part.base, part.byteCount) }
        for descriptor in exported.withLock({ $0 }) ?? [] { close(descriptor) }
    }

    /// Returns the planes of a frame in the buffer; it must be complete.
    func planes(of contents: FilledAreas) -> [PixelStorage.Plane] {
        contents.startAtZero ? planesFromStart : shape.planes(in: parts) { contents[$0].lowerBound }
    }

    /// Returns the buffer's DMA-BUF descriptors, exported on the first request, since descriptors are limited. Empty if
    /// the driver does not support them, or the device is closed.
    func dmaDescriptors(of device: V4L2Device?) -> [Int32] {
        exported.withLock { exported in
            if let exported { return exported }
            guard let device else { return [] }
            let made = Self.export(device, index: index, count: parts.count)
            exported = made
            return made
        }
    }

    private static func areas(
        of device: V4L2Device, index: UInt32
    ) throws(ObscuraError) -> [(offset: Int, length: Int)] {
        var query = V4L2BufferQuery(device: device, index: index)
        let status = query.run(obscuraQueryBuffer)
        guard status == 0 else { throw device.failure(status, "its buffers cannot be queried") }
        let areas = query.areas
        guard !areas.isEmpty, areas.allSatisfy({ $0.length > 0 }) else {
            throw ObscuraError(
                .capture, .deviceFailed, subject: device.path, reason: "its driver returned a buffer without memory")
        }
        return areas
    }

    /// Exports all parts, or none.
    private static func export(_ device: V4L2Device, index: UInt32, count: Int) -> [Int32] {
        var descriptors: [Int32] = []
        for plane in 0..<count {
            var request = v4l2_exportbuffer()
            request.type = device.bufferType
            request.index = index
            request.plane = UInt32(plane)
            request.flags = UInt32(O_CLOEXEC | O_RDONLY)
            guard obscuraExportBuffer(device.descriptor, &request) == 0, request.fd >= 0 else {
                for descriptor in descriptors { close(descriptor) }
                return []
            }
            descriptors.append(request.fd)
        }
        return descriptors
    }
}

extension FrameShape {
    /// Returns the planes of a frame in memory.
    ///
    /// - Parameter start: returns the position of the frame's first byte in a part.
    fileprivate func planes(in parts: [V4L2Memory.Part], startingAt start: (Int) -> Int) -> [PixelStorage.Plane] {
        planes.map { plane in
            PixelStorage.Plane(
                base: parts[plane.part].base + start(plane.part) + plane.offset, bytesPerRow: plane.bytesPerRow,
                byteCount: plane.byteCount)
        }
    }
}

/// A `v4l2_buffer` with its planes, if its device has several, at a stable address for the kernel.
struct V4L2BufferQuery: ~Copyable {
    private static let planeLimit = Int(VIDEO_MAX_PLANES)

    private let device: V4L2Device
    private let planes: UnsafeMutablePointer<v4l2_plane>?
    private(set) var buffer = v4l2_buffer()

    init(device: V4L2Device, index: UInt32 = 0) {
        self.device = device
        buffer.type = device.bufferType
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.index = index
        guard device.capabilities.isMultiPlanar else {
            planes = nil
            return
        }
        let planes = UnsafeMutablePointer<v4l2_plane>.allocate(capacity: Self.planeLimit)
        planes.initialize(repeating: v4l2_plane(), count: Self.planeLimit)
        self.planes = planes
        buffer.length = UInt32(Self.planeLimit)
        buffer.m.planes = planes
    }

    deinit {
        planes?.deallocate()
    }

    /// Returns 0, or the errno.
    mutating func run(_ request: (Int32, UnsafeMutablePointer<v4l2_buffer>) -> Int32) -> Int32 {
        request(device.descriptor, &buffer)
    }

    private var planeCount: Int { min(Int(buffer.length), Self.planeLimit) }

    /// The offsets and lengths of the planes in the device's file.
    var areas: [(offset: Int, length: Int)] {
        guard let planes else { return [(Int(buffer.m.offset), Int(buffer.length))] }
        return (0..<planeCount).map { (Int(planes[$0].m.mem_offset), Int(planes[$0].length)) }
    }

    /// Returns the frame's bytes, limited to the memory: drivers may report more.
    func contents(in memory: V4L2Memory) -> FilledAreas {
        guard let planes else {
            return FilledAreas(first: 0..<min(Int(buffer.bytesused), memory.parts[0].byteCount))
        }
        let areas = (0..<min(planeCount, memory.parts.count)).map { index in
            let used = Int(planes[index].bytesused)
            let contents = min(Int(planes[index].data_offset), used)..<used
            return contents.clamped(to: 0..<memory.parts[index].byteCount)
        }
        return FilledAreas(first: areas.first ?? 0..<0, others: Array(areas.dropFirst()))
    }
}

/// The range of a frame's bytes in each memory area of its buffer; the first one is empty if there is none.
struct FilledAreas {
    let first: Range<Int>
    // Most cameras have one area, and then a frame needs no array.
    private let others: [Range<Int>]

    init(first: Range<Int>, others: [Range<Int>] = []) {
        self.first = first
        self.others = others
    }

    var count: Int { 1 + others.count }
    var areEmpty: Bool { first.isEmpty && others.allSatisfy(\.isEmpty) }
    /// Whether the frame begins with the first byte of each area.
    var startAtZero: Bool { first.lowerBound == 0 && others.allSatisfy { $0.lowerBound == 0 } }

    subscript(area: Int) -> Range<Int> { area == 0 ? first : others[area - 1] }
}
