// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import Obscura

/// Reads frames of a camera in YUYV, unchanged or as BGRA, and prints the number of frames, the number of missing
/// frames, the time from the call of `start()` to the first frame in milliseconds, the sum of the first bytes, the time
/// of the first frame on the monotonic clock in milliseconds, and the CPU time from the 30th frame to the last in
/// milliseconds.
///
///     CameraFrames /dev/video0 320 180 30 1500 yuyv|bgra
@main
struct CameraFrames {
    static func main() async throws {
        guard let job = Job(CommandLine.arguments) else {
            print("usage: CameraFrames NODE WIDTH HEIGHT RATE COUNT yuyv|bgra")
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
        var reader = output.frames.makeAsyncIterator()
        let begin = HostTime.now
        try await session.start()
        var (frames, sum) = (0, 0)
        var (firstNumber, lastNumber): (UInt64, UInt64) = (0, 0)
        var firstFrame = begin
        var cpuBegin = 0.0
        while frames < job.count, let frame = try await reader.next() {
            if frames == 0 {
                firstFrame = .now
                firstNumber = frame.sequence
            }
            frames += 1
            lastNumber = frame.sequence
            if frames == 30 { cpuBegin = cpuTime }
            // Reads a byte, so that the compiler cannot remove the access to the frame.
            sum &+= frame.buffer.withBytes(ofPlane: 0) { Int($0.unsafeLoad(as: UInt8.self)) }
        }
        let cpuEnd = cpuTime
        await session.stop()
        // Fewer frames than requested: the camera has stopped.
        let missed = frames == 0 ? 0 : lastNumber - firstNumber + 1 - UInt64(frames)
        print(
            frames, missed, (firstFrame - begin) / .milliseconds(1), sum, Double(firstFrame.nanoseconds) / 1_000_000,
            cpuEnd - cpuBegin)
    }

    /// The CPU time of all threads so far, in milliseconds.
    nonisolated private static var cpuTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}

/// The parsed arguments.
private struct Job {
    let node: String
    let format: VideoFormat
    let count: Int
    /// Nil for unchanged frames.
    let pixelFormat: PixelFormat?

    init?(_ arguments: [String]) {
        guard arguments.count == 7, let width = Int(arguments[2]), let height = Int(arguments[3]),
            let rate = Int32(arguments[4]), rate > 0, let count = Int(arguments[5])
        else { return nil }
        node = arguments[1]
        format = VideoFormat(pixelFormat: .yuyv, width: width, height: height, frameRate: FrameRate(rate))
        self.count = count
        pixelFormat = arguments[6] == "bgra" ? .bgra : nil
    }
}
