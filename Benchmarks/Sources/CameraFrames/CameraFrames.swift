// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Reads frames of a camera in YUYV, unchanged or as BGRA, and prints what ``Measurement`` says: in a loop, or with a
/// delegate on the thread of arrival.
///
///     CameraFrames /dev/video0 320 180 30 1500 yuyv|bgra [arrival]
@main
struct CameraFrames {
    static func main() async throws {
        guard let job = Job(CommandLine.arguments) else {
            print("usage: CameraFrames NODE WIDTH HEIGHT RATE COUNT yuyv|bgra [arrival]")
            return
        }
        try await read(job)
    }

    /// Not isolated to the main actor, unlike `main()`: there each frame would need one more change of thread.
    nonisolated private static func read(_ job: Job) async throws {
        let device = try CaptureDevice.named("camera:\(job.node)")
        let input = try CaptureDeviceInput(device: device)
        let output = VideoDataOutput(pixelFormat: job.pixelFormat)
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(input)
            try $0.setFormat(job.format, for: input)
            try $0.addOutput(output)
        }
        print(try await job.isOnArrival ? arrivals(job, session, output) : loop(job, session, output))
    }

    nonisolated private static func loop(
        _ job: Job, _ session: CaptureSession, _ output: VideoDataOutput
    ) async throws -> Measurement {
        var reader = output.frames.makeAsyncIterator()
        var measurement = Measurement(count: job.count)
        try await session.start()
        while !measurement.isComplete, let frame = try await reader.next() { measurement.add(frame) }
        await session.stop()
        return measurement
    }

    nonisolated private static func arrivals(
        _ job: Job, _ session: CaptureSession, _ output: VideoDataOutput
    ) async throws -> Measurement {
        let reader = ArrivalReader(count: job.count)
        output.setDelegate(reader, on: .arrival)
        try await session.start()
        await reader.end()
        await session.stop()
        return reader.measurement
    }
}

/// The parsed arguments.
private struct Job {
    let node: String
    let format: VideoFormat
    let count: Int
    /// Nil for unchanged frames.
    let pixelFormat: PixelFormat?
    let isOnArrival: Bool

    init?(_ arguments: [String]) {
        guard (7...8).contains(arguments.count), let width = Int(arguments[2]), let height = Int(arguments[3]),
            let rate = Int32(arguments[4]), rate > 0, let count = Int(arguments[5])
        else { return nil }
        node = arguments[1]
        format = VideoFormat(pixelFormat: .yuyv, width: width, height: height, frameRate: FrameRate(rate))
        self.count = count
        pixelFormat = arguments[6] == "bgra" ? .bgra : nil
        isOnArrival = arguments.last == "arrival"
    }
}
