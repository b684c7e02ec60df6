// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// A live recording of 1280x720 at 30 frames a second, beside readers of the same camera.
struct BusyRecording {
    /// Where the frames of one reader went.
    struct Reader: Codable {
        let name: String
        let size: String
        let delivered: UInt64
        /// By reason; those of which there were none are left out.
        let dropped: [String: UInt64]
    }

    /// What came of it.
    struct Account: Codable {
        /// From the start of the session to its stop.
        let seconds: Double
        /// Of all threads of the process in that time, user and system.
        let cpuSeconds: Double
        /// Frames that the camera made, and those that nobody took for a second.
        let received: UInt64
        let gaps: UInt64
        /// Frames in the movie, as the writer counts them.
        let written: Int
        let movie: Reader
        let others: [Reader]
    }

    private static let size = PixelSize(width: 1280, height: 720)

    let path: String
    let seconds: Double
    let viewCount: Int

    /// Not on the main actor, as `main()` is: there every frame of every view would wait for the others.
    nonisolated func run() async throws -> Account {
        let movie = MovieFileOutput(audio: nil)
        // Each view has a size of its own, so that none is spared its picture by another's: 320x180 and less.
        let views = (0..<viewCount).map { index in
            VideoDataOutput(
                name: "view \(index + 1)", pixelFormat: .bgra,
                size: PixelSize(width: max(16, 320 - 16 * index), height: max(9, 180 - 9 * index)))
        }
        let data = VideoDataOutput(name: "data", pixelFormat: .bgra)
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(
                CaptureDeviceInput(device: CaptureDevice.named("pattern:\(Self.size)@30")))
            try configuration.addOutput(movie)
            for output in views + [data] { try configuration.addOutput(output) }
        }
        var options = AssetWriter.Options()
        options.overwrites = true
        try await movie.startRecording(to: path, options: options)
        let (begin, cpuBefore) = (HostTime.now, Self.cpuSeconds)
        try await session.start()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for output in views { group.addTask { try await Self.watch(output) } }
            group.addTask {
                try await Self.watch(data) { movie.isRecording && movie.recordedDuration.seconds < seconds }
            }
            // The data output is the first to end; the views go on until the recording has stopped as well.
            _ = try await group.next()
            let result = await movie.stopRecording()
            let (wall, cpu) = ((HostTime.now - begin) / .seconds(1), Self.cpuSeconds - cpuBefore)
            let ledger = session.ledger
            await session.stop()
            for try await _ in group {}
            guard let report = result?.report else { throw result?.error ?? Failure.noMovie }
            return try account(wall, cpu, ledger, written: report.videoFrameCount, views + [data])
        }
    }

    /// Reads frames until the session stops, or `goesOn` is false. Returns a sum of bytes, so that nobody can leave a
    /// picture out.
    private static func watch(_ output: VideoDataOutput, while goesOn: () -> Bool = { true }) async throws -> Int {
        var sum = 0
        for try await frame in output.frames {
            sum &+= frame.buffer.withBytes(ofPlane: 0) { Int($0.unsafeLoad(as: UInt8.self)) }
            if !goesOn() { break }
        }
        return sum
    }

    private func account(
        _ wall: Double, _ cpu: Double, _ ledger: SessionLedger, written: Int, _ others: [VideoDataOutput]
    ) throws -> Account {
        func reader(_ name: String, _ size: PixelSize) throws -> Reader {
            guard let found = ledger.readers.first(where: { $0.name.hasPrefix("\(name) ") && $0.frames.offered > 0 })
            else { throw Failure.noReader(name) }
            let drops = DropReason.allCases.map { ($0.rawValue, found.frames.dropped[$0]) }.filter { $0.1 > 0 }
            return Reader(
                name: name, size: "\(size)", delivered: found.frames.delivered,
                dropped: Dictionary(uniqueKeysWithValues: drops))
        }
        guard let input = ledger.inputs.first else { throw Failure.noReader("camera") }
        return Account(
            seconds: wall, cpuSeconds: cpu, received: input.received, gaps: input.gaps, written: written,
            movie: try reader("movie delegate", Self.size),
            others: try others.map { try reader("\($0.name) loop", $0.size ?? Self.size) })
    }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private enum Failure: Error {
        case noMovie
        case noReader(String)
    }
}
