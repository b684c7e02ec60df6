// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation
internal import Obscura

/// A request that the samples of each channel begin at a multiple of 16 bytes. Without effect here: only the first
/// sample of the buffer is always aligned.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1
/// The memory for a list of buffers is too small.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The sample buffer has no samples of sound.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// An argument is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731

/// Returns the bytes of sound, or of the file of a photo. Nil for an uncompressed image, and for a dropped frame. All
/// calls return the same object.
public func CMSampleBufferGetDataBuffer(_ buffer: CMSampleBuffer) -> CMBlockBuffer? { buffer.dataBuffer }

/// Returns the number of bytes of all samples of sound; 0 for an image, and for a dropped frame.
public func CMSampleBufferGetTotalSampleSize(_ buffer: CMSampleBuffer) -> Int { buffer.totalSampleSize }

/// Returns the addresses of the samples of sound: one if the channels are interleaved, else one for each channel.
///
/// - Parameters:
///   - bufferListSizeNeededOut: receives the number of bytes of the list.
///   - bufferListOut: receives the list. Pass nil to get only its size.
///   - bufferListSize: the number of bytes at `bufferListOut`.
///   - flags: without effect.
///   - blockBufferOut: receives the memory of the samples, which keeps the addresses valid. With nil, they are valid
///     only while the sample buffer exists.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall``, or an error if there is no sound.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ buffer: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
    bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int, blockBufferAllocator: CFAllocator?,
    blockBufferMemoryAllocator: CFAllocator?, flags: UInt32, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    guard case .sound(let sound) = buffer.content, let block = buffer.dataBuffer else {
        return kCMSampleBufferError_BufferHasNoSampleSizes
    }
    let size = AudioBufferList.sizeInBytes(maximumBuffers: sound.format.bufferCount)
    bufferListSizeNeededOut?.pointee = size
    guard let bufferListOut else {
        return bufferListSizeNeededOut == nil ? kCMSampleBufferError_RequiredParameterMissing : 0
    }
    guard bufferListSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
    UnsafeMutableAudioBufferListPointer(bufferListOut).fill(block, sound.format)
    blockBufferOut?.pointee = block
    return 0
}

extension CMSampleBuffer {
    /// Options for the addresses of the samples of sound.
    public struct Flags: OptionSet, Sendable {
        /// The flags as bits.
        public let rawValue: UInt32

        /// Creates flags.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// As ``kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment``.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// The number of bytes of all samples of sound; 0 for an image, and for a dropped frame.
    public var totalSampleSize: Int {
        guard case .sound(let sound) = content else { return 0 }
        return sound.frameCount * sound.format.bytesPerFrame
    }

    /// Calls `body` with the addresses of the samples of sound, which are valid during the call only: one buffer if the
    /// channels are interleaved, else one for each channel.
    ///
    /// - Throws: an `NSError` with the code ``kCMSampleBufferError_BufferHasNoSampleSizes`` if there is no sound.
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = nil, flags: Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        guard case .sound(let sound) = content, let block = dataBuffer else {
            throw NSError(
                domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_BufferHasNoSampleSizes))
        }
        let list = AudioBufferList.allocate(maximumBuffers: sound.format.bufferCount)
        defer { free(list.unsafeMutablePointer) }
        list.fill(block, sound.format)
        return try withExtendedLifetime(block) { try body(list, block) }
    }
}

extension AudioFormat {
    /// The number of contiguous parts of the samples.
    fileprivate var bufferCount: Int { isInterleaved ? 1 : channelCount }
}

extension UnsafeMutableAudioBufferListPointer {
    /// - Precondition: memory for all buffers of the format.
    fileprivate func fill(_ block: CMBlockBuffer, _ format: AudioFormat) {
        let number = format.bufferCount
        let size = block.dataLength / number
        count = number
        for index in 0..<number {
            self[index] = AudioBuffer(
                mNumberChannels: UInt32(format.isInterleaved ? format.channelCount : 1),
                mDataByteSize: UInt32(clamping: size), mData: block.part(index * size, size)?.baseAddress)
        }
    }
}
