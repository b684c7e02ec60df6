// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The mode of a lock of the base address.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt64

    /// Creates flags.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The lock is for reading only. Shared memory is not copied.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the pixels accessible until they are unlocked; locks can be nested.
///
/// - Returns: ``kCVReturnAllocationFailed`` if there is no memory for a copy, which a lock for writing can need; see
///   ``CVBuffer``.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    buffer.lock(isReadOnly: flags.contains(.readOnly)) ? kCVReturnSuccess : kCVReturnAllocationFailed
}

/// Ends a lock.
///
/// - Parameter flags: the flags with which the buffer was locked.
/// - Returns: ``kCVReturnInvalidArgument`` if the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    buffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// Returns the address of the first pixel, or of the first plane of a planar buffer; nil if the buffer is not locked.
public func CVPixelBufferGetBaseAddress(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    buffer.baseAddress(ofPlane: 0)
}

/// Returns the address of a plane; nil if the buffer is not locked, or does not have the plane.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ buffer: CVPixelBuffer, _ plane: Int
) -> UnsafeMutableRawPointer? {
    buffer.baseAddress(ofPlane: plane)
}

/// Returns the width, in pixels.
public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int { buffer.inspect(\.width) }

/// Returns the height, in pixels.
public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int { buffer.inspect(\.height) }

/// Returns the distance between the starts of two successive rows, in bytes; of the first plane if the buffer is
/// planar.
public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int {
    buffer.inspect { $0.bytesPerRow(ofPlane: 0) }
}

/// Returns the distance between the starts of two successive rows of a plane, in bytes; 0 if the buffer does not have
/// the plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ buffer: CVPixelBuffer, _ plane: Int) -> Int {
    buffer.inspect { (0..<$0.planeCount).contains(plane) ? $0.bytesPerRow(ofPlane: plane) : 0 }
}

/// Returns the number of planes; 0 for a format that is not planar.
public func CVPixelBufferGetPlaneCount(_ buffer: CVPixelBuffer) -> Int {
    buffer.inspect { $0.planeCount > 1 ? $0.planeCount : 0 }
}

/// Returns whether the buffer has several planes.
public func CVPixelBufferIsPlanar(_ buffer: CVPixelBuffer) -> Bool { buffer.inspect { $0.planeCount > 1 } }

/// Returns the four-character code of the pixel format.
public func CVPixelBufferGetPixelFormatType(_ buffer: CVPixelBuffer) -> OSType {
    buffer.inspect(\.pixelFormatType)
}
