// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Foundation
internal import Obscura

/// A block of contiguous bytes: samples of sound, or the file of a photo.
///
/// Addresses are valid as long as the block or its sample buffer exists. Changes of the bytes are visible in the sample
/// buffer. Do not write to the bytes from several threads at the same time.
public final class CMBlockBuffer: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the memory has one address and one size; its bytes are those of the caller,
    // as in the API on other systems.

    /// The alignment of the first byte.
    private static let alignment = 16

    let bytes: UnsafeMutableRawBufferPointer

    init(_ samples: Obscura.AudioBuffer.Samples) {
        bytes =
            switch samples {
            case .int16(let samples): samples.withUnsafeBytes(Self.copy)
            case .int32(let samples): samples.withUnsafeBytes(Self.copy)
            case .float32(let samples): samples.withUnsafeBytes(Self.copy)
            }
    }

    init(_ file: [UInt8]) { bytes = file.withUnsafeBytes(Self.copy) }

    private static func copy(_ source: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: alignment)
        memory.copyMemory(from: source)
        return memory
    }

    deinit {
        bytes.deallocate()
    }

    /// The bytes as samples of a type.
    func samples(_ type: AudioFormat.SampleType) -> Obscura.AudioBuffer.Samples {
        switch type {
        case .int16: .int16(Array(bytes.bindMemory(to: Int16.self)))
        case .int32: .int32(Array(bytes.bindMemory(to: Int32.self)))
        case .float32: .float32(Array(bytes.bindMemory(to: Float.self)))
        }
    }

    /// The part of the bytes; nil if it is not inside the block.
    func part(_ offset: Int, _ count: Int) -> UnsafeMutableRawBufferPointer? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    // MARK: Bytes

    /// The number of bytes.
    public var dataLength: Int { bytes.count }
    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Returns a copy of the bytes.
    public func dataBytes() throws -> Data { Data(bytes) }

    /// Calls `body` with the bytes, which are valid during the call only.
    public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// Calls `body` with the bytes from an offset to the end, which are valid during the call only.
    ///
    /// - Throws: an `NSError` with the code ``kCMBlockBufferBadOffsetParameterErr`` for an offset outside of the block.
    public func withUnsafeMutableBytes<R>(
        atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) throws -> R {
        guard let part = part(offset, bytes.count - offset) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBadOffsetParameterErr))
        }
        return try withExtendedLifetime(self) { try body(part) }
    }
}

extension CMBlockBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (one: CMBlockBuffer, other: CMBlockBuffer) -> Bool { one === other }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// No error.
public let kCMBlockBufferNoErr: OSStatus = 0
/// An offset is outside of the block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is negative, or reaches beyond the end of the block.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704

/// Returns the number of bytes of a block.
public func CMBlockBufferGetDataLength(_ buffer: CMBlockBuffer) -> Int { buffer.dataLength }

/// Returns whether a block has no bytes.
public func CMBlockBufferIsEmpty(_ buffer: CMBlockBuffer) -> Bool { buffer.isEmpty }

/// Returns whether a part of a block is contiguous, which is true for each part inside the block.
public func CMBlockBufferIsRangeContiguous(_ buffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    buffer.part(offset, length) != nil
}

/// Returns the address of a byte, which is valid while the block, or its sample buffer, exists.
///
/// - Parameters:
///   - offset: the index of the byte.
///   - lengthAtOffsetOut: receives the number of contiguous bytes from the byte on.
///   - totalLengthOut: receives the number of bytes of the block.
///   - dataPointerOut: receives the address.
/// - Returns: ``kCMBlockBufferBadOffsetParameterErr`` for an offset outside of the block.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ buffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    guard offset < buffer.dataLength, let part = buffer.part(offset, buffer.dataLength - offset) else {
        return kCMBlockBufferBadOffsetParameterErr
    }
    lengthAtOffsetOut?.pointee = part.count
    totalLengthOut?.pointee = buffer.dataLength
    dataPointerOut?.pointee = part.baseAddress?.assumingMemoryBound(to: CChar.self)
    return kCMBlockBufferNoErr
}

/// Copies bytes of a block.
///
/// - Parameter destination: memory for `dataLength` bytes.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for a part that is not inside the block.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ source: CMBlockBuffer, atOffset offset: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
    guard let part = source.part(offset, dataLength) else { return kCMBlockBufferBadLengthParameterErr }
    if let base = part.baseAddress { destination.copyMemory(from: base, byteCount: part.count) }
    return kCMBlockBufferNoErr
}

/// Replaces bytes of a block.
///
/// - Parameter sourceBytes: memory with `dataLength` bytes.
/// - Returns: ``kCMBlockBufferBadLengthParameterErr`` for a part that is not inside the block.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer: CMBlockBuffer, offsetIntoDestination offset: Int, dataLength: Int
) -> OSStatus {
    guard let part = blockBuffer.part(offset, dataLength) else { return kCMBlockBufferBadLengthParameterErr }
    part.copyMemory(from: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
    return kCMBlockBufferNoErr
}
