// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraBase
package import ObscuraMedia

/// The bytes of an open file, as FFmpeg reads them: an `AVIOContext` over our own descriptor.
///
/// FFmpeg never opens a file by name. Therefore a name cannot be interpreted as a protocol, the file that is read is
/// the file that was checked, and a wait for a pipe ends when the control requires it.
package final class FileBytes {
    /// Small, like FFmpeg's own blocks, so that a seek discards little data.
    private static let blockSize: Int32 = 64 << 10

    private let file: FileDescriptor
    private let control: ReadControl
    /// The position after which nothing is read; nil for the end of the file.
    private let end: Int64?
    package let isSeekable: Bool
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    /// The error of the first failed read; nil if there is none. FFmpeg may treat it as the end of the file.
    private(set) var failure: SystemError?

    /// - Parameter end: the number of bytes to read; nil for all.
    package init(path: String, control: ReadControl, end: Int64? = nil) throws(ObscuraError) {
        // Without O_NONBLOCK, opening a pipe would block until it has a writer.
        let status: FileStatus
        do throws(SystemError) {
            file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
            status = try FileStatus(of: file)
        } catch {
            throw ObscuraError(error, reading: path, domain: .movies)
        }
        self.control = control
        self.end = end
        isSeekable = status.kind == .regular
        guard isSeekable || status.kind == .pipe else {
            let what = status.kind == .folder ? "a folder" : "a device"
            throw ObscuraError(.movies, .unsupportedContainer, subject: path, reason: "it is \(what), not a movie file")
        }
        guard !isSeekable || status.size > 0 else {
            throw ObscuraError(.movies, .unsupportedContainer, subject: path, reason: "the file is empty")
        }
        guard let block = libav.av_malloc(Int(Self.blockSize)) else { throw .outOfMemory(.movies, path) }
        context = libav.avio_alloc_context(
            block.assumingMemoryBound(to: UInt8.self), Self.blockSize, 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return OBSCURA_ERROR_EXIT }
                return Unmanaged<FileBytes>.fromOpaque(opaque).takeUnretainedValue().read(bytes, Int(count))
            }, nil,
            isSeekable
                ? { opaque, offset, whence in
                    guard let opaque else { return Int64(OBSCURA_ERROR_EXIT) }
                    return Unmanaged<FileBytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                } : nil)
        guard context != nil else {
            libav.av_free(block)
            throw .outOfMemory(.movies, path)
        }
    }

    deinit {
        if let context {
            // FFmpeg may have replaced the buffer that was passed to it.
            libav.av_free(context.pointee.buffer)
            libav.avio_context_free(&self.context)
        }
    }

    /// The current size; nil for a pipe.
    package var size: Int64? {
        guard isSeekable, let status = try? FileStatus(of: file) else { return nil }
        return min(status.size, end ?? .max)
    }

    /// Returns up to `count` bytes at `offset`, without moving the read position.
    package func bytes(at offset: Int64, count: Int) -> [UInt8] {
        (try? file.read(at: offset, count: count)) ?? []
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
        var count = count
        if let end {
            count = min(count, Int(clamping: end - Int64(lseek(file.number, 0, SEEK_CUR))))
            guard count > 0 else { return OBSCURA_ERROR_EOF }
        }
        while true {
            if control.mustEnd { return OBSCURA_ERROR_EXIT }
            if !isSeekable, !waitForInput() { continue }
            let result = Glibc.read(file.number, bytes, count)
            if result > 0 { return Int32(result) }
            if result == 0 { return OBSCURA_ERROR_EOF }
            let error = SystemError.last
            if error.number == EINTR || error.number == EAGAIN { continue }
            if failure == nil { failure = error }
            return -error.number
        }
    }

    /// Waits briefly until a pipe has data or is closed by its writer.
    private func waitForInput() -> Bool {
        var request = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 50) > 0
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return size ?? Int64(-ENOSYS) }
        let result = lseek(file.number, off_t(offset), whence & ~AVSEEK_FORCE)
        return result < 0 ? Int64(-errno) : Int64(result)
    }
}
