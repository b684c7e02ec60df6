// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The number of buffers that a pool keeps ready. Without effect here: a pool keeps all released buffers.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"

/// A pool of buffers of one size and format, whose memory is reused.
public final class CVPixelBufferPool: @unchecked Sendable {  // The attributes are constants of value types.
    /// More than that, and a program does not release its buffers.
    private static let mostBuffers = 256

    fileprivate let attributes: CFDictionary
    private let pool = PixelBufferPool(capacity: mostBuffers)
    private let format: PixelFormat
    private let range: ColorSpace.Range?
    private let size: PixelSize

    fileprivate init?(_ attributes: CFDictionary) {
        guard let type = attributes[kCVPixelBufferPixelFormatTypeKey].flatMap(SettingValue.integer),
            let code = OSType(exactly: type), let (format, range) = PixelFormat.of(code),
            let width = attributes[kCVPixelBufferWidthKey].flatMap(SettingValue.integer),
            let height = attributes[kCVPixelBufferHeightKey].flatMap(SettingValue.integer), width > 0, height > 0
        else { return nil }
        self.attributes = attributes
        (self.format, self.range) = (format, range)
        size = PixelSize(width: width, height: height)
    }

    fileprivate func makeBuffer() throws(ObscuraError) -> CVPixelBuffer {
        let space: ColorSpace? = range.map { $0 == .full ? .jpeg : .assumed }
        return CVBuffer(
            try pool.makeBuffer(format: format, width: size.width, height: size.height, colorSpace: space))
    }
}

/// Creates a pool.
///
/// - Parameters:
///   - poolAttributes: without effect.
///   - attributes: the format, the width and the height of the buffers.
///   - pool: receives the pool.
/// - Returns: ``kCVReturnInvalidArgument`` if an attribute is missing or not supported.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ attributes: CFDictionary?,
    _ pool: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    guard let made = attributes.flatMap({ CVPixelBufferPool($0) }) else { return kCVReturnInvalidArgument }
    pool.pointee = made
    return kCVReturnSuccess
}

/// Returns a buffer of a pool. Its pixels are undefined.
///
/// - Parameter buffer: receives the buffer.
/// - Returns: ``kCVReturnWouldExceedAllocationThreshold`` if 256 buffers are in use, ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pool: CVPixelBufferPool, _ buffer: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    do throws(ObscuraError) {
        buffer.pointee = try pool.makeBuffer()
        return kCVReturnSuccess
    } catch {
        return CVReturn(error)
    }
}

/// Returns the attributes of the buffers of a pool.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }
