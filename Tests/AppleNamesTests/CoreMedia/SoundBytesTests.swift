// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import CoreMedia
import ObscuraMedia
import Testing

/// The bytes of sound in sample buffers.
@Suite("Sound of CMSampleBuffer") struct SoundBytesTests {
    /// Four sample frames of two channels.
    private func sample(isInterleaved: Bool = true) -> CMSampleBuffer {
        let format = AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 2, isInterleaved: isInterleaved)
        let sound = AudioBuffer(
            format: format, samples: .int16([1, 2, 3, 4, 5, 6, 7, 8]), presentationTime: .zero,
            hostTime: HostTime(nanoseconds: 0))
        return CMSampleBuffer(
            .sound(sound), formatDescription: CMFormatDescription(audio: format), timing: CMSampleTimingInfo())
    }

    @Test("The block of a sample buffer is always the same, and has all bytes")
    func block() throws {
        let sample = sample()
        let block = try #require(CMSampleBufferGetDataBuffer(sample))
        #expect(block === sample.dataBuffer && CMBlockBufferGetDataLength(block) == 16 && !CMBlockBufferIsEmpty(block))
        let bytes = try block.dataBytes()
        #expect(bytes.count == 16 && bytes[0] == 1 && bytes[14] == 8)
        #expect(try block.withContiguousStorage { Array($0) } == Array(bytes))
    }

    @Test("The address of a byte tells how many follow")
    func address() throws {
        let sample = sample()
        let block = try #require(sample.dataBuffer)
        var (length, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        let status = CMBlockBufferGetDataPointer(
            block, atOffset: 6, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: &pointer)
        #expect(status == kCMBlockBufferNoErr && length == 10 && total == 16)
        #expect(pointer?.pointee == 4)
        for offset in [-1, 16, Int.max] {
            let status = CMBlockBufferGetDataPointer(
                block, atOffset: offset, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
            #expect(status == kCMBlockBufferBadOffsetParameterErr)
        }
    }

    @Test("Bytes are copied and replaced within the block only")
    func copying() throws {
        let block = try #require(sample().dataBuffer)
        var bytes = [UInt8](repeating: 99, count: 4)
        #expect(CMBlockBufferCopyDataBytes(block, atOffset: 2, dataLength: 4, destination: &bytes) == 0)
        #expect(bytes == [2, 0, 3, 0])
        for (offset, length) in [(14, 4), (-1, 1), (0, -1), (17, 0), (Int.max, Int.max)] {
            let copied = CMBlockBufferCopyDataBytes(block, atOffset: offset, dataLength: length, destination: &bytes)
            #expect(copied == kCMBlockBufferBadLengthParameterErr)
            let replaced = CMBlockBufferReplaceDataBytes(
                with: &bytes, blockBuffer: block, offsetIntoDestination: offset, dataLength: length)
            #expect(replaced == kCMBlockBufferBadLengthParameterErr)
            #expect(!CMBlockBufferIsRangeContiguous(block, atOffset: offset, length: length))
        }
        #expect(bytes == [2, 0, 3, 0])
        bytes = [7, 7, 8, 8]
        let status = CMBlockBufferReplaceDataBytes(
            with: &bytes, blockBuffer: block, offsetIntoDestination: 12, dataLength: 4)
        #expect(status == 0)
        #expect(try block.dataBytes().suffix(4) == Data(bytes))
        #expect(throws: NSError.self) { try block.withUnsafeMutableBytes(atOffset: 17) { _ in } }
    }

    @Test("A list has one buffer for interleaved channels, else one for each")
    func bufferList() throws {
        let interleaved = sample()
        var list = AudioBufferList()
        var block: CMBlockBuffer?
        var size = 0
        let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            interleaved, bufferListSizeNeededOut: &size, bufferListOut: &list,
            bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
            blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment,
            blockBufferOut: &block)
        #expect(status == 0 && block === interleaved.dataBuffer && size == MemoryLayout<AudioBufferList>.size)
        #expect(list.mNumberBuffers == 1 && list.mBuffers.mNumberChannels == 2 && list.mBuffers.mDataByteSize == 16)
        #expect(list.mBuffers.mData?.load(fromByteOffset: 14, as: Int16.self) == 8)

        let planar = sample(isInterleaved: false)
        let refused = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            planar, bufferListSizeNeededOut: &size, bufferListOut: &list,
            bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
            blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
        #expect(refused == kCMSampleBufferError_ArrayTooSmall)
        #expect(size == AudioBufferList.sizeInBytes(maximumBuffers: 2))
        let large = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(large.unsafeMutablePointer) }
        let filled = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            planar, bufferListSizeNeededOut: nil, bufferListOut: large.unsafeMutablePointer, bufferListSize: size,
            blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
        #expect(filled == 0 && large.count == 2)
        #expect(large.map { $0.mData?.load(as: Int16.self) } == [1, 5])
        #expect(large.allSatisfy { $0.mNumberChannels == 1 && $0.mDataByteSize == 8 })
        withExtendedLifetime(planar) {}
    }

    @Test("A sample buffer that was invalidated is not valid, and keeps its bytes")
    func invalidated() throws {
        let sample = sample()
        #expect(CMSampleBufferIsValid(sample))
        #expect(CMSampleBufferInvalidate(sample) == 0)
        #expect(!sample.isValid && sample.dataBuffer?.dataLength == 16)
    }

    @Test("A picture has no bytes of sound")
    func picture() throws {
        let frame = try WritingMovies.frame(at: .zero)
        #expect(CMSampleBufferGetDataBuffer(frame) == nil && CMSampleBufferGetTotalSampleSize(frame) == 0)
        #expect(throws: NSError.self) { try frame.withAudioBufferList { _, _ in } }
        let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            frame, bufferListSizeNeededOut: nil, bufferListOut: nil, bufferListSize: 0, blockBufferAllocator: nil,
            blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
        #expect(status == kCMSampleBufferError_BufferHasNoSampleSizes)
    }

    @Test("The description of a format has the layout of the C structure")
    func layout() {
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
        #expect(MemoryLayout<CoreMedia.AudioBuffer>.size == 16 && MemoryLayout<AudioBufferList>.size == 24)
        let planar = AudioFormat(sampleType: .float32, channelCount: 6, isInterleaved: false)
        let stream = CMFormatDescription(audio: planar).audioStreamBasicDescription
        #expect(stream?.mFormatFlags == 41 && stream?.mBytesPerFrame == 4 && stream?.mChannelsPerFrame == 6)
        #expect(CMFormatDescription(audio: planar) == CMFormatDescription(audio: planar))
    }
}
