// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The format of a stream of sound. A value of 0 is unknown, or does not apply to the format.
public struct AudioStreamBasicDescription: Sendable {
    /// The number of sample frames per second.
    public var mSampleRate: Float64
    /// The format, such as ``kAudioFormatLinearPCM``.
    public var mFormatID: AudioFormatID
    /// The flags of the format, such as ``kAudioFormatFlagIsFloat``.
    public var mFormatFlags: AudioFormatFlags
    /// The number of bytes of a packet.
    public var mBytesPerPacket: UInt32
    /// The number of sample frames of a packet; 1 for uncompressed samples.
    public var mFramesPerPacket: UInt32
    /// The number of bytes of a sample frame; of one channel if the channels are not interleaved.
    public var mBytesPerFrame: UInt32
    /// The number of channels.
    public var mChannelsPerFrame: UInt32
    /// The number of bits of a sample.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// Creates a description of zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Creates a description.
    public init(
        mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }

    /// The description of uncompressed samples.
    init(_ format: AudioFormat) {
        let byteCount = UInt32(format.sampleType.byteCount)
        let frame = format.isInterleaved ? UInt32(format.bytesPerFrame) : byteCount
        self.init()
        mSampleRate = Float64(format.sampleRate)
        mFormatID = kAudioFormatLinearPCM
        mFormatFlags =
            (format.sampleType == .float32 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
            | (format.isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
        (mBytesPerPacket, mFramesPerPacket, mBytesPerFrame) = (frame, 1, frame)
        mChannelsPerFrame = UInt32(format.channelCount)
        mBitsPerChannel = 8 * byteCount
    }
}

/// The memory of a description whose address programs ask for.
final class StreamDescriptionMemory: @unchecked Sendable {  // The memory is written by the initializer only.
    let address: UnsafePointer<AudioStreamBasicDescription>

    init(_ description: AudioStreamBasicDescription) {
        let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
        memory.initialize(to: description)
        address = UnsafePointer(memory)
    }

    deinit {
        address.deallocate()
    }
}
