// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Creates a buffer of zeros.
///
/// - Parameters:
///   - attributes: without effect.
///   - buffer: receives the buffer.
/// - Returns: ``kCVReturnInvalidPixelFormat`` for a format that is not supported, ``kCVReturnInvalidSize``,
///   ``kCVReturnAllocationFailed``.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ attributes: CFDictionary?,
    _ buffer: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let (format, range) = PixelFormat.of(pixelFormatType) else { return kCVReturnInvalidPixelFormat }
    do throws(ObscuraError) {
        buffer.pointee = CVBuffer(
            try PixelBuffer(
                format: format, width: width, height: height, colorSpace: range.map(ColorSpace.of(range:))))
        return kCVReturnSuccess
    } catch {
        return CVReturn(error)
    }
}

extension ColorSpace {
    /// The color space of a buffer whose range only is known.
    fileprivate static func of(range: Range) -> ColorSpace { range == .full ? .jpeg : .assumed }
}

extension CVReturn {
    init(_ error: ObscuraError) {
        self =
            switch error.code {
            case .invalidSize: kCVReturnInvalidSize
            case .poolExhausted: kCVReturnWouldExceedAllocationThreshold
            case .outOfMemory: kCVReturnAllocationFailed
            default: kCVReturnError
            }
    }
}
