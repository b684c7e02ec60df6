// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite("Movies as cameras")
struct MovieDriverTests {
    private static func lossless() -> MovieReadingOptions {
        var options = MovieReadingOptions()
        options.pace = .lossless
        return options
    }

    @Test("As fast as it is taken, every frame comes in order, then the end")
    func lossless() throws {
        let path = try TestMovies.h264()
        let driver = try MovieDriver(path, options: Self.lossless())
        let sink = RecordingSink()
        let run = driver.makeRun(RunRequest(), sink: sink, clock: SystemClock())
        #expect(try run.start().video == driver.formats.first)
        #expect(sink.hasFinished)
        run.stop()
        #expect(!driver.isLive)
        #expect(sink.events == [.finished(nil)])
        #expect(sink.frames.map(\.presentationTime) == (try Reading(path)).times)
    }

    @Test("In real time each frame comes when it is due by the session's clock, and not before")
    func realTime() throws {
        let path = try TestMovies.h264()
        let driver = try MovieDriver(path)
        let (sink, clock) = (RecordingSink(), ManualClock(now: HostTime(nanoseconds: 1_000_000_000)))
        let run = driver.makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        #expect(driver.isLive)
        for index in 1..<50 {
            let due = try #require(clock.nextDeadline(within: waitLimit))
            #expect(due.nanoseconds == 1_000_000_000 + Int64(index) * 40_000_000)
            #expect(sink.frames.count == index)
            #expect(sink.frames.last?.hostTime.nanoseconds == due.nanoseconds - 40_000_000)
            clock.advance(by: .milliseconds(40))
            #expect(sink.waits { $0.frames.count == index + 1 })
        }
        #expect(sink.hasFinished)
        run.stop()
    }

    @Test("An RTSP address may choose the transport, which is not sent to the server")
    func transport() throws {
        #expect(RTSPTransport.split("rtsp://h/p?a=1&transport=UDP&b=2") == ("rtsp://h/p?a=1&b=2", "udp"))
        #expect(RTSPTransport.split("rtsp://h/p?transport=tcp") == ("rtsp://h/p", "tcp"))
        #expect(RTSPTransport.split("rtsp://h/p?transport=udp#x") == ("rtsp://h/p", "udp"))
        for plain in ["rtsp://h/p", "rtsp://h/p?", "rtsp://h/p?transports=udp", "rtsp://h/transport=udp"] {
            #expect(RTSPTransport.split(plain) == (plain, nil))
        }
        #expect(try MovieDriver("rtsp://h/p?transport=udp").isLive)
        let error = #expect(throws: ObscuraError.self) { try MovieDriver("rtsp://me:geheim@h/p?transport=sctp") }
        #expect(error?.code == .invalidRequest && error?.reason == "transport=sctp is not supported")
        #expect(error.map { !"\($0)".contains("geheim") } == true)
        // The query of another protocol belongs to the server.
        #expect(try !MovieDriver("http://h/p?transport=sctp", options: Self.lossless()).isLive)
    }

    @Test("Motion JPEG over HTTP has no times: each frame has the time of its arrival")
    func motionJPEGOverHTTP() throws {
        let path = try TestMovies.path("parts.mjpeg", TestMovies.source() + ["-c:v", "mjpeg", "-f", "mpjpeg"])
        let server = try SmallServer(try Data(contentsOf: URL(fileURLWithPath: path))) { _ in
            SmallServer.Answer(isFile: false, isSilent: true)
        }
        defer { server.close() }
        // The clock stands still: only frames that are not paced come.
        let (sink, clock) = (RecordingSink(), ManualClock(now: HostTime(nanoseconds: 1_000_000_000)))
        let run = try MovieDriver(server.url("camera")).makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        #expect(sink.waits { $0.frames.count > 40 })
        let frames = sink.frames
        #expect(frames.allSatisfy { $0.attachments.isHostTimeEstimated && $0.hostTime == clock.now })
        // A recording, too, has the time of arrival; the demuxer would say 25 frames per second.
        let steps = zip(frames, frames.dropFirst()).map { $1.presentationTime - $0.presentationTime }
        #expect(steps.allSatisfy { $0 >= .zero } && Set(steps).count > 1 && frames.allSatisfy { $0.duration == nil })
        run.stop()
    }

    @Test("A movie that fell behind goes on from where it is")
    func fallenBehind() throws {
        let driver = try MovieDriver(try TestMovies.h264())
        let (sink, clock) = (RecordingSink(), ManualClock())
        let run = driver.makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        _ = try #require(clock.nextDeadline(within: waitLimit))
        clock.advance(by: .seconds(3600))
        let due = try #require(clock.nextDeadline(within: waitLimit))
        // The frame that it waited for, one that is due now, and then the usual pace.
        #expect(sink.frames.count == 3)
        #expect(due == clock.now + .milliseconds(40))
        run.stop()
    }

    @Test("Stop ends a wait for the next frame before it is due, and nothing comes after it")
    func stopWhileWaiting() async throws {
        var options = MovieReadingOptions()
        options.isLooping = true
        let (sink, clock) = (RecordingSink(), ManualClock())
        let run = try MovieDriver(try TestMovies.h264(), options: options)
            .makeRun(RunRequest(), sink: sink, clock: clock)
        _ = try run.start()
        _ = try #require(clock.nextDeadline(within: waitLimit))
        run.stop()
        // The clock stands still, so that only the stop can end the wait.
        #expect(await becomes { clock.nextDeadline(within: .zero) == nil })
        #expect(sink.frames.count == 1)
        #expect(sink.events.isEmpty)
        run.stop()
    }

    @Test("A cut file ends with an error after its whole frames, and tells of the broken one")
    func truncated() throws {
        let path = try TestMovies.cut(try TestMovies.h264(), to: 0.8)
        let sink = RecordingSink()
        let run = try MovieDriver(path, options: Self.lossless())
            .makeRun(RunRequest(), sink: sink, clock: SystemClock())
        _ = try run.start()
        #expect(sink.hasFinished)
        run.stop()
        #expect(sink.events == [.finished(.truncated)])
        #expect(sink.state.withLock { $0.lost } == 1)
        #expect(sink.frames.count > 30)
    }

    @Test(
        "What cannot be opened is refused with the error of the place",
        arguments: [
            ("/nowhere/a.mp4", ObscuraError.Code.notFound), ("gopher://h/", .unsupportedProtocol),
            ("/usr", .unsupportedContainer),
        ])
    func refused(name: String, code: ObscuraError.Code) {
        let error = #expect(throws: ObscuraError.self) { try MovieDeviceProvider().device(named: name) }
        #expect(error?.code == code)
    }

    @Test("A device keeps its name, without its password")
    func names() throws {
        let device = try #require(try MovieDeviceProvider().device(named: "rtsp://user:geheim@host/live"))
        #expect(device.uniqueID == "rtsp://user:***@host/live")
        #expect(device.formats.isEmpty)
        let file = try #require(try MovieDeviceProvider().device(named: try TestMovies.h264()))
        #expect(file.localizedName == "plain.mp4")
        #expect(file.formats.first?.size == PixelSize(width: 160, height: 90))
    }
}
