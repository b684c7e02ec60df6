// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CoreVideo
import ObscuraMedia
import Testing

/// The documented behavior of `CVPixelBuffer` and of its pool.
@Suite("CVPixelBuffer") struct CVPixelBufferTests {
    private func make(
        _ type: OSType = kCVPixelFormatType_32BGRA, _ width: Int = 8, _ height: Int = 4
    ) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(kCFAllocatorDefault, width, height, type, nil, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    @Test("The address is there while the buffer is locked, also for nested locks") func locking() throws {
        let buffer = try make()
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        CVPixelBufferLockBaseAddress(buffer, [])
        let address = try #require(CVPixelBufferGetBaseAddress(buffer))
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        #expect(CVPixelBufferGetBaseAddress(buffer) == address)
        CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        #expect(CVPixelBufferGetBaseAddress(buffer) == address)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnSuccess)
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
    }

    @Test("What is written is read again, and not seen by others that have the same memory") func writing() throws {
        var picture = try PixelBuffer(format: .bgra, width: 4, height: 2)
        try picture.withMutableBytes(ofPlane: 0) { $0.storeBytes(of: 0x11, toByteOffset: 0, as: UInt8.self) }
        let (one, other) = (CVBuffer(picture), CVBuffer(picture))
        for buffer in [one, other] {
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            #expect(CVPixelBufferGetBaseAddress(buffer)?.load(as: UInt8.self) == 0x11)
            CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        }
        CVPixelBufferLockBaseAddress(one, [])
        CVPixelBufferGetBaseAddress(one)?.storeBytes(of: 0x22, as: UInt8.self)
        CVPixelBufferUnlockBaseAddress(one, [])
        let seen = [one, other].map { $0.picture.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } }
        #expect(seen == [0x22, 0x11])
        #expect(picture.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } == 0x11)
    }

    @Test("A picture that is taken while the buffer is locked for writing does not change with it") func taken() throws
    {
        let buffer = try make()
        CVPixelBufferLockBaseAddress(buffer, [])
        let address = try #require(CVPixelBufferGetBaseAddress(buffer))
        address.storeBytes(of: 0x44, as: UInt8.self)
        let picture = buffer.picture
        address.storeBytes(of: 0x55, as: UInt8.self)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        #expect(picture.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } == 0x44)
        #expect(buffer.picture.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } == 0x55)
    }

    @Test("The rows have the same distance after a lock that copies the memory of a driver") func sameRows() throws {
        var bytes = [UInt8](repeating: 7, count: 1024 * 3)
        try bytes.withUnsafeMutableBytes { memory in
            let base = try #require(memory.baseAddress)
            // As of an image processor; the padding of the last row is missing.
            let storage = PixelStorage(
                planes: [
                    PixelStorage.Plane(base: base, bytesPerRow: 1024, byteCount: 1024 + 720),
                    PixelStorage.Plane(base: base + 2048, bytesPerRow: 1024, byteCount: 720),
                ], mayWrite: { false }, release: {})
            let buffer = CVBuffer(PixelBuffer(storage: storage, format: .nv12, width: 720, height: 2))
            #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) == 1024)
            CVPixelBufferLockBaseAddress(buffer, [])
            #expect((0..<2).map { CVPixelBufferGetBytesPerRowOfPlane(buffer, $0) } == [1024, 1024])
            for plane in 0..<2 {
                let address = try #require(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
                #expect(address != base + 2048 * plane && address.load(as: UInt8.self) == 7)
                memset(address, 9, plane == 0 ? 1024 + 720 : 720)
            }
            CVPixelBufferUnlockBaseAddress(buffer, [])
            #expect(memory.allSatisfy { $0 == 7 })
            #expect(buffer.picture.packedBytes().allSatisfy { $0 == 9 })
        }
    }

    @Test("A reader's address stays valid while another lock writes") func readerAndWriter() throws {
        let buffer = try make()
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        let read = try #require(CVPixelBufferGetBaseAddress(buffer))
        CVPixelBufferLockBaseAddress(buffer, [])
        let written = try #require(CVPixelBufferGetBaseAddress(buffer))
        written.storeBytes(of: 0x33, as: UInt8.self)
        #expect(read.load(as: UInt8.self) == 0)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        #expect(buffer.picture.withBytes(ofPlane: 0) { $0.unsafeLoad(as: UInt8.self) } == 0x33)
    }

    @Test(
        "Each format has its planes",
        arguments: [
            (kCVPixelFormatType_32BGRA, 0), (kCVPixelFormatType_32RGBA, 0), (kCVPixelFormatType_24RGB, 0),
            (kCVPixelFormatType_32ARGB, 0), (kCVPixelFormatType_32ABGR, 0),
            (kCVPixelFormatType_OneComponent8, 0), (kCVPixelFormatType_422YpCbCr8, 0),
            (kCVPixelFormatType_422YpCbCr8_yuvs, 0), (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 2),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 2), (kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, 2),
            (kCVPixelFormatType_420YpCbCr8Planar, 3), (kCVPixelFormatType_420YpCbCr8PlanarFullRange, 3),
        ])
    func formats(type: OSType, planes: Int) throws {
        let buffer = try make(type, 16, 8)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == type)
        #expect(CVPixelBufferGetPlaneCount(buffer) == planes && CVPixelBufferIsPlanar(buffer) == (planes > 0))
        #expect(CVPixelBufferGetWidth(buffer) == 16 && CVPixelBufferGetHeight(buffer) == 8)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        for plane in 0..<max(1, planes) {
            #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, plane) != nil)
            #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, plane) >= 8)
        }
        #expect(CVPixelBufferGetBaseAddressOfPlane(buffer, 3) == nil)
        #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, -1) == 0)
        CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
    }

    @Test("A buffer that is impossible is refused with the reason") func refused() {
        var buffer: CVPixelBuffer?
        #expect(CVPixelBufferCreate(nil, 4, 4, 0x3F3F_3F3F, nil, &buffer) == kCVReturnInvalidPixelFormat)
        for (width, height) in [(0, 4), (4, -1), (1 << 20, 4)] {
            #expect(
                CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer) == kCVReturnInvalidSize
            )
        }
        #expect(buffer == nil)
    }

    @Test("A pool uses memory again, and has a limit") func pool() throws {
        var pool: CVPixelBufferPool?
        let attributes: [CFString: Any] = [
            kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: CGFloat(64),
            kCVPixelBufferHeightKey: NSNumber(value: 48),
        ]
        #expect(CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == kCVReturnSuccess)
        let made = try #require(pool)
        #expect(CVPixelBufferPoolGetPixelBufferAttributes(made)?.count == 3)
        var addresses: Set<UnsafeMutableRawPointer?> = []
        for _ in 0..<10 {
            var buffer: CVPixelBuffer?
            #expect(CVPixelBufferPoolCreatePixelBuffer(nil, made, &buffer) == kCVReturnSuccess)
            let pixels = try #require(buffer)
            CVPixelBufferLockBaseAddress(pixels, [])
            addresses.insert(CVPixelBufferGetBaseAddress(pixels))
            CVPixelBufferUnlockBaseAddress(pixels, [])
        }
        #expect(addresses.count == 1)
        var held: [CVPixelBuffer?] = []
        var result = kCVReturnSuccess
        while result == kCVReturnSuccess, held.count < 1000 {
            var buffer: CVPixelBuffer?
            result = CVPixelBufferPoolCreatePixelBuffer(nil, made, &buffer)
            held.append(buffer)
        }
        #expect(result == kCVReturnWouldExceedAllocationThreshold && held.count == 257)
        #expect(CVPixelBufferPoolCreate(nil, nil, [kCVPixelBufferWidthKey: 64], &pool) == kCVReturnInvalidArgument)
    }

    @Test("An attachment has a value and a mode, and is removed") func attachments() throws {
        let buffer = try make()
        CVBufferSetAttachment(buffer, "kept", 1, .shouldPropagate)
        CVBufferSetAttachment(buffer, "own", "text", .shouldNotPropagate)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(buffer, "kept", &mode) as? Int == 1 && mode == .shouldPropagate)
        #expect(CVBufferCopyAttachments(buffer, .shouldNotPropagate)?.keys.sorted() == ["own"])
        CVBufferRemoveAttachment(buffer, "kept")
        #expect(CVBufferCopyAttachment(buffer, "kept", nil) == nil)
    }
}
