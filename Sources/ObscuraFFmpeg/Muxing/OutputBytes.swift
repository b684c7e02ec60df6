// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraBase
package import ObscuraMedia

/// The bytes of an output file, as FFmpeg writes them: an `AVIOContext` over our own descriptor.
package final class OutputBytes {
    static let blockSize: Int32 = 256 << 10

    package let path: String
    package let file: FileDescriptor
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The size of the file, in bytes.
    package private(set) var size: Int64 = 0
    private var offset: Int64 = 0
    /// The error of the first failed system call; nil if there is none.
    package private(set) var failure: SystemError?

    /// - Parameters:
    ///   - path: the subject of errors.
    ///   - file: empty, and open for reading and writing.
    package init(path: String, file: FileDescriptor) throws(ObscuraError) {
        self.path = path
        self.file = file
        guard let block = libav.av_malloc(Int(Self.blockSize)) else { throw .outOfMemory(.recording, path) }
        context = libav.avio_alloc_context(
            block.assumingMemoryBound(to: UInt8.self), Self.blockSize, 1,
            Unmanaged.passUnretained(self).toOpaque(), nil,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return OBSCURA_ERROR_EXIT }
                return Unmanaged<OutputBytes>.fromOpaque(opaque).takeUnretainedValue()
                    .write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            },
            { opaque, offset, whence in
                guard let opaque else { return Int64(OBSCURA_ERROR_EXIT) }
                return Unmanaged<OutputBytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard context != nil else {
            libav.av_free(block)
            throw .outOfMemory(.recording, path)
        }
    }

    deinit {
        Self.free(&context)
    }

    /// Flushes the written data to disk.
    package func synchronize() {
        do {
            try file.synchronize(isDataOnly: true)
        } catch {
            if failure == nil, [ENOSPC, EIO, EDQUOT].contains(error.number) { failure = error }
        }
    }

    /// Truncates the file to this size, which ends with complete data.
    package func truncate(to byteCount: Int64) {
        ftruncate(file.number, Int(byteCount))
        size = byteCount
    }

    /// Returns a context that reads the file from its start, which the muxer needs to move the index to the front.
    /// Close it with ``closeReader(_:)`` before this object is deallocated.
    fileprivate func makeReader() -> UnsafeMutablePointer<AVIOContext>? {
        guard let block = libav.av_malloc(Int(Self.blockSize)) else { return nil }
        let reader = Unmanaged.passRetained(Reader(file))
        let made = libav.avio_alloc_context(
            block.assumingMemoryBound(to: UInt8.self), Self.blockSize, 0, reader.toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return OBSCURA_ERROR_EXIT }
                return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue().read(bytes, Int(count))
            }, nil,
            { opaque, offset, whence in
                guard let opaque else { return Int64(OBSCURA_ERROR_EXIT) }
                return Unmanaged<Reader>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        if made == nil {
            reader.release()
            libav.av_free(block)
        }
        return made
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = pwrite(file.number, part.baseAddress, part.count, off_t(offset))
            if count < 0 {
                let error = SystemError.last
                if error.number == EINTR { continue }
                if failure == nil { failure = error }
                return -error.number
            }
            offset += Int64(count)
            size = max(size, offset)
            rest = rest.dropFirst(count)
        }
        return Int32(bytes.count)
    }

    private func seek(_ target: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return size }
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: offset = target
        case SEEK_CUR: offset += target
        case SEEK_END: offset = size + target
        default: return Int64(-EINVAL)
        }
        return offset
    }

    private static func free(_ context: inout UnsafeMutablePointer<AVIOContext>?) {
        guard let made = context else { return }
        // FFmpeg may have replaced the buffer that was passed to it.
        libav.av_free(made.pointee.buffer)
        libav.avio_context_free(&context)
    }

    private final class Reader {
        private let file: FileDescriptor
        private var offset: Int64 = 0

        init(_ file: FileDescriptor) {
            self.file = file
        }

        func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
            while true {
                let result = pread(file.number, bytes, count, off_t(offset))
                if result < 0, errno == EINTR { continue }
                guard result != 0 else { return OBSCURA_ERROR_EOF }
                offset += Int64(max(0, result))
                return result < 0 ? -errno : Int32(result)
            }
        }

        func seek(_ target: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return Int64(-ENOSYS) }
            switch whence & ~AVSEEK_FORCE {
            case SEEK_SET: offset = target
            case SEEK_CUR: offset += target
            default: return Int64(-EINVAL)
            }
            return offset
        }
    }
}

extension OutputBytes {
    /// Allows the muxer of `format` to read back this file; it cannot open anything else.
    func allowReading(_ format: UnsafeMutablePointer<AVFormatContext>) {
        format.pointee.io_open = { format, reader, _, flags, _ in
            guard let format, let reader, flags & AVIO_FLAG_WRITE == 0, let opaque = format.pointee.pb?.pointee.opaque
            else { return -EACCES }
            libav.avio_flush(format.pointee.pb)
            reader.pointee = Unmanaged<OutputBytes>.fromOpaque(opaque).takeUnretainedValue().makeReader()
            return reader.pointee == nil ? -ENOMEM : 0
        }
        format.pointee.io_close2 = { _, reader in
            guard let reader else { return 0 }
            if let opaque = reader.pointee.opaque { Unmanaged<AnyObject>.fromOpaque(opaque).release() }
            var context: UnsafeMutablePointer<AVIOContext>? = reader
            OutputBytes.free(&context)
            return 0
        }
    }
}
