// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// How the base address of a buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt64

    /// Creates flags.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The pixels are not changed, so that memory that others use is not copied.
    public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Makes the pixels accessible until they are unlocked; locks can be nested.
///
/// - Returns: ``kCVReturnAllocationFailed`` if there is no memory for the copy that writing may need; see ``CVBuffer``.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    buffer.lock(isReadOnly: flags.contains(.readOnly)) ? kCVReturnSuccess : kCVReturnAllocationFailed
}

/// Ends a lock.
///
/// - Parameter flags: those of the lock.
/// - Returns: ``kCVReturnInvalidArgument`` if the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ buffer: CVPixelBuffer, _ flags: CVPixelBufferLockFlags) -> CVReturn {
    buffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// Returns the address of the first pixel; nil while the buffer is not locked. For a planar buffer this is the address
/// of its first plane.
public func CVPixelBufferGetBaseAddress(_ buffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    buffer.baseAddress(ofPlane: 0)
}

/// Returns the address of a plane; nil while the buffer is not locked, and for a plane that it does not have.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ buffer: CVPixelBuffer, _ plane: Int
) -> UnsafeMutableRawPointer? {
    buffer.baseAddress(ofPlane: plane)
}

/// Returns the width, in pixels.
public func CVPixelBufferGetWidth(_ buffer: CVPixelBuffer) -> Int { buffer.inspect(\.width) }

/// Returns the height, in pixels.
public func CVPixelBufferGetHeight(_ buffer: CVPixelBuffer) -> Int { buffer.inspect(\.height) }

/// Returns the distance between the starts of two successive rows, in bytes; for a planar buffer that of its first
/// plane.
public func CVPixelBufferGetBytesPerRow(_ buffer: CVPixelBuffer) -> Int {
    buffer.inspect { $0.bytesPerRow(ofPlane: 0) }
}

/// Returns the distance between the starts of two successive rows of a plane, in bytes; 0 for a plane that it does not
/// have.
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
