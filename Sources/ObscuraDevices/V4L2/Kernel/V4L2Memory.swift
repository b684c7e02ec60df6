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
    private let index: UInt32
    /// The DMA-BUF descriptor of each part; empty if the driver does not support them, nil until the first request.
    private let exported = Lock<[Int32]?>(nil)

    /// Maps the buffer with this index, which the driver has allocated.
    init(device: V4L2Device, index: UInt32) throws(ObscuraError) {
        let areas = try Self.areas(of: device, index: index)
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
        self.index = index
    }

    deinit {
        for part in parts { munmap(part.base, part.byteCount) }
        for descriptor in exported.withLock({ $0 }) ?? [] { close(descriptor) }
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

    /// Returns the range of the frame's bytes in each plane, limited to the memory: drivers may report more.
    func contents(in memory: V4L2Memory) -> [Range<Int>] {
        guard let planes else {
            return memory.parts.prefix(1).map { 0..<min(Int(buffer.bytesused), $0.byteCount) }
        }
        return (0..<min(planeCount, memory.parts.count)).map { index in
            let used = Int(planes[index].bytesused)
            let contents = min(Int(planes[index].data_offset), used)..<used
            return contents.clamped(to: 0..<memory.parts[index].byteCount)
        }
    }
}
