// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg

/// The output of a muxer as messages of limited size: an `AVIOContext` over a closure. Not thread-safe: use one thread
/// at a time.
package final class MessageBytes {
    /// Accepts a message; returns a negative FFmpeg code on failure.
    package typealias Sink = (UnsafeRawBufferPointer) -> Int32

    private let sink: Sink
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// - Parameter size: the maximum size of a message, in bytes.
    package init?(size: Int32, _ sink: @escaping Sink) {
        self.sink = sink
        guard let block = libav.av_malloc(Int(size)) else { return nil }
        context = libav.avio_alloc_context(
            block.assumingMemoryBound(to: UInt8.self), size, 1, Unmanaged.passUnretained(self).toOpaque(), nil,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return OBSCURA_ERROR_EXIT }
                return Unmanaged<MessageBytes>.fromOpaque(opaque).takeUnretainedValue()
                    .sink(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }, nil)
        guard let context else {
            libav.av_free(block)
            return nil
        }
        context.pointee.max_packet_size = size
    }

    deinit {
        guard let made = context else { return }
        // FFmpeg may have replaced the buffer that was passed to it.
        libav.av_free(made.pointee.buffer)
        libav.avio_context_free(&context)
    }
}
