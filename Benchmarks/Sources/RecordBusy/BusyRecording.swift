// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// A live recording of 1280x720 at 30 frames per second, with other readers of the same camera.
struct BusyRecording {
    /// The statistics of one reader.
    struct Reader: Codable {
        let name: String
        let size: String
        let delivered: UInt64
        /// The dropped frames by reason, without reasons that did not occur.
        let dropped: [String: UInt64]
    }

    /// The result.
    struct Account: Codable {
        /// The time from the start of the session to its stop.
        let seconds: Double
        /// The CPU time of all threads of the process in that time, user and system.
        let cpuSeconds: Double
        /// The frames that the camera delivered, and those that it lost because no reader took them for a second.
        let received: UInt64
        let gaps: UInt64
        /// The frames in the movie, as the writer counts them.
        let written: Int
        let movie: Reader
        let others: [Reader]
    }

    private static let size = PixelSize(width: 1280, height: 720)

    let path: String
    let seconds: Double
    let viewCount: Int

    /// Not isolated to the main actor, unlike `main()`: there the frames of all views would wait for each other.
    nonisolated func run() async throws -> Account {
        let movie = MovieFileOutput(audio: nil)
        // Each view has a different size, 320x180 or less, so that no two share a conversion.
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
            // The data output ends first; the views continue until the recording has stopped too.
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

    /// Reads frames until the session stops, or `goesOn` is false. Returns a sum of bytes, so that the compiler cannot
    /// remove the access to the frames.
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
