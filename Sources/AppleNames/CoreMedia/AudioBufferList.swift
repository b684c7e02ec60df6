// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The address and the size of samples of sound: of all channels if they are interleaved, else of one channel.
public struct AudioBuffer {
    /// The number of interleaved channels.
    public var mNumberChannels: UInt32
    /// The number of bytes.
    public var mDataByteSize: UInt32
    /// The address of the first byte.
    public var mData: UnsafeMutableRawPointer?

    /// Creates a buffer without memory.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// Creates a buffer.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// A list of buffers, which follow each other in memory; see ``UnsafeMutableAudioBufferListPointer``.
public struct AudioBufferList {
    /// The number of buffers.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// Creates an empty list with the memory for one buffer.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// Creates a list with one buffer.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// The offset of the first buffer.
    fileprivate static let head =
        MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? MemoryLayout<AudioBuffer>.alignment

    /// Returns the number of bytes of a list.
    ///
    /// - Precondition: at least one buffer.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        precondition(maximumBuffers >= 1)
        return head + maximumBuffers * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates an empty list, which the caller frees with `free(list.unsafeMutablePointer)`. The count of the list is
    /// `maximumBuffers`.
    ///
    /// - Precondition: at least one buffer.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let size = sizeInBytes(maximumBuffers: maximumBuffers)
        guard let memory = calloc(1, size) else { preconditionFailure("the system has no memory left") }
        let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        list.count = maximumBuffers
        return list
    }
}

/// The buffers of a list, as a collection.
public struct UnsafeMutableAudioBufferListPointer {
    /// The address of the list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// Creates a collection of the buffers at an address.
    public init(_ list: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = list }

    /// Creates a collection of the buffers at an address; nil if the address is nil.
    public init?(_ list: UnsafeMutablePointer<AudioBufferList>?) {
        guard let list else { return nil }
        self.init(list)
    }

    /// The address of the list.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    private var buffers: UnsafeMutablePointer<AudioBuffer> {
        UnsafeMutableRawPointer(unsafeMutablePointer).advanced(by: AudioBufferList.head)
            .assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// The number of buffers.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// The index of the first buffer.
    public var startIndex: Int { 0 }
    /// The index after the last buffer.
    public var endIndex: Int { count }

    /// The buffer at an index.
    ///
    /// - Precondition: the index is less than ``count``.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(indices.contains(index))
            return buffers[index]
        }
        nonmutating set {
            precondition(indices.contains(index))
            buffers[index] = newValue
        }
    }
}
