// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import ObscuraBase
import ObscuraCapture
import TestSupport
import Testing

/// A trace on a disk that does not move.
@Suite struct TraceStallTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(.hangLimit) func `A stop does not wait for it, also if the session has a source that may wait`()
        async throws
    {
        let path = folder("full")
        try #require(mkfifo(path, 0o600) == 0)
        // Both ends, so that neither opening nor writing fails.
        let pipe = open(path, O_RDWR | O_NONBLOCK)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let page = [UInt8](repeating: 0, count: 4096)
        while write(pipe, page, page.count) > 0 {}
        let (live, file) = (HandCamera("live"), HandCamera("file", isLive: false))
        let session = CaptureSession()
        try await session.configure {
            for camera in [live, file] { try $0.addInput(CaptureDeviceInput(device: camera.device)) }
            try $0.addOutput(VideoDataOutput())
        }
        var options = SessionTrace.Options()
        options.overwrites = true
        let trace = try session.trace(to: path, options: options)
        try await session.start()
        // More records than may wait for the disk.
        for sequence in 0..<UInt64(5000) { live.sink?.loseFrame(sequence: sequence, gap: 0) }
        let stopped = Count()
        let stop = Task {
            await session.stop()
            stopped.add()
        }
        #expect(await stopped.reaches(1))
        let isOver = Lock(false)
        let drain = WorkerThread(name: "drain") {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while !isOver.withLock({ $0 }) {
                if read(pipe, &bytes, bytes.count) <= 0 { yieldThread() }
            }
        }
        #expect(try await trace.finish().omittedRecords > 900)
        isOver.withLock { $0 = true }
        #expect(await onThread { drain?.ends() } == true)
        await stop.value
    }
}
