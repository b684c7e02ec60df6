// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia
internal import Synchronization

/// The last log lines of FFmpeg about one movie, kept for its errors. FFmpeg itself prints nothing.
///
/// Lines of a demuxer and a decoder find their log through the `opaque` field of their context, which points to an
/// ``Owner``, independent of the thread that writes them. All other lines (protocols, parsers) go to the log that is
/// collecting on their thread.
package final class FFmpegLog: Sendable {
    private struct State {
        var firstLine: String?
        var lastLine: String?
        var ownLineCount = 0
    }

    /// The object to which the `opaque` field of a context points. It must outlive the context.
    package final class Owner: Sendable {
        private let log: FFmpegLog
        private let firstFileError = Atomic<Int32>(0)
        private let hasConcealedFlag = Atomic<Bool>(false)
        private let connectionOptions: [String: String]

        /// - Parameter connectionOptions: options for each connection that a demuxer opens.
        package init(_ log: FFmpegLog, connectionOptions: [String: String] = [:]) {
            self.log = log
            self.connectionOptions = connectionOptions
        }

        package var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        /// Whether a decoder concealed missing parts of a frame. The frame's own flags do not show this: a reordered
        /// frame is referenced before its decoding on another thread has ended.
        package var hasConcealed: Bool { hasConcealedFlag.load(ordering: .relaxed) }

        /// FFmpeg's code of the first file that a muxer could not write completely; 0 if there is none.
        package var fileError: Int32 { firstFileError.load(ordering: .relaxed) }

        /// Checks a muxer's files as they are closed: the HLS muxer does not report write errors.
        func watchFiles(of context: UnsafeMutablePointer<AVFormatContext>) {
            // Nested muxers also get these callbacks, and the opaque pointer.
            context.pointee.opaque = opaque
            context.pointee.io_close2 = { context, file in
                libav.avio_flush(file)
                let broken = file?.pointee.error ?? 0
                let closed = libav.avio_close(file)
                let status = broken < 0 ? broken : closed
                if status < 0, let opaque = context?.pointee.opaque {
                    let owner = Unmanaged<Owner>.fromOpaque(opaque).takeUnretainedValue()
                    _ = owner.firstFileError.compareExchange(expected: 0, desired: status, ordering: .relaxed)
                }
                return status
            }
        }

        /// Makes every later attempt of a muxer to open a file fail.
        func refuseFiles(of context: UnsafeMutablePointer<AVFormatContext>) {
            context.pointee.io_open = { _, _, _, _, _ in -EIO }
        }

        /// Opens all connections of a demuxer with the options that were given at the start: the HLS demuxer does not
        /// pass all of them on to its playlists, keys and segments.
        func watchConnections(of context: UnsafeMutablePointer<AVFormatContext>) {
            context.pointee.opaque = opaque
            context.pointee.io_open = { context, connection, address, flags, options in
                guard let opaque = context?.pointee.opaque, let open = Owner.openConnection else { return -EACCES }
                let owner = Unmanaged<Owner>.fromOpaque(opaque).takeUnretainedValue()
                var own: OpaquePointer?
                if let options { own = options.pointee }
                for (name, value) in owner.connectionOptions { libav.setEntry(name, value, in: &own) }
                defer { if let options { options.pointee = own } else { libav.av_dict_free(&own) } }
                return open(context, connection, address, flags, &own)
            }
        }

        /// FFmpeg's own function for opening a connection.
        private static let openConnection = {
            let context = libav.avformat_alloc_context()
            defer { libav.avformat_free_context(context) }
            return context?.pointee.io_open
        }()

        package func reset() {
            hasConcealedFlag.store(false, ordering: .relaxed)
        }

        fileprivate func record(_ line: UnsafePointer<CChar>, isConcealment: Bool) {
            if isConcealment {
                hasConcealedFlag.store(true, ordering: .relaxed)
            } else {
                log.record(line, isOwn: true)
            }
        }
    }

    private let state = Lock(State())

    package init() {
        _ = Self.isInstalled
    }

    /// The last line of level error since the last ``clear()``, truncated to 255 bytes.
    package var lastLine: String? { state.withLock { $0.lastLine } }

    /// The last line, as the library message of an error.
    package var message: String? { lastLine.map { "FFmpeg: \($0)" } }

    /// The first line of level error since the last ``clear()``: the cause, if one failure leads to another.
    package var firstLine: String? { state.withLock { $0.firstLine } }

    /// The number of lines that the demuxer or decoder itself has written since the last ``clear()``, without those of
    /// protocols and parsers.
    package var ownLineCount: Int { state.withLock { $0.ownLineCount } }

    package func clear() {
        state.withLock { $0 = State() }
    }

    /// Calls `body` and collects the lines of its thread in this log.
    package func collecting<R>(_ body: () -> R) -> R {
        let outer = pthread_getspecific(Self.threadKey)
        pthread_setspecific(Self.threadKey, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.threadKey, outer) }
        return body()
    }

    private func record(_ line: UnsafePointer<CChar>, isOwn: Bool) {
        let text = String(cString: line)
        state.withLock { state in
            state.firstLine = state.firstLine ?? text
            state.lastLine = text
            if isOwn { state.ownLineCount += 1 }
        }
    }

    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let isInstalled: Bool = {
        _ = threadKey
        obscura_log_install { owner, line, isConcealment in
            if let owner {
                Unmanaged<Owner>.fromOpaque(owner).takeUnretainedValue().record(line, isConcealment: isConcealment)
            } else if !isConcealment, let log = pthread_getspecific(threadKey) {
                Unmanaged<FFmpegLog>.fromOpaque(log).takeUnretainedValue().record(line, isOwn: false)
            }
        }
        return true
    }()
}
