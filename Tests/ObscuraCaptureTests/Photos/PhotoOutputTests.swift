// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

/// Photos of a running session: which frame, what is in the file, and what ends the wait.
@Suite(.hangLimit) struct PhotoOutputTests {
    @Test(arguments: 0..<4)
    func `the photo is the frame that was on the screen when the button was pressed`(back: Int) async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<10)
        // A little after the frame with this number, and before the next one; of those that are gone, the oldest kept.
        let pressed = stage.moment(of: 9 - back) + .milliseconds(5)
        let photo = try await stage.output.capture(pressedAt: pressed)
        let expected = max(7, 9 - back)
        #expect(try PhotoStage.number(of: photo) == UInt64(expected))
        #expect(photo.sequence == UInt64(expected) && photo.hostTime == stage.moment(of: expected))
        #expect(photo.presentationTime == MediaTime(value: Int64(expected), timescale: 30))
        await stage.stop()
    }

    @Test func `so many photos are made at once and no more`() {
        let output = PhotoOutput()
        let claims = (0..<PhotoOutput.inHandLimit).map { _ in output.claim() }
        #expect(claims.allSatisfy { $0 } && !output.claim())
        output.release()
        #expect(output.claim() && !output.claim())
    }

    @Test func `it keeps three recent frames unless told otherwise, and not more than thirty`() {
        #expect(PhotoOutput().recentFrames == 3 && PhotoOutput(recentFrames: 0).recentFrames == 0)
        #expect(PhotoOutput(recentFrames: 30).recentFrames == 30 && PhotoOutput(recentFrames: 31).recentFrames == 30)
    }

    @Test func `without recent frames the photo is the next frame that comes`() async throws {
        let stage = try await PhotoStage(recentFrames: 0)
        try await stage.give(0..<3)
        async let photo = stage.output.capture()
        #expect(await stage.waits())
        try await stage.give(3..<4)
        #expect(try await PhotoStage.number(of: photo) == 3)
        #expect(await becomes { (try? stage.session.reader("photo"))?.held == 0 })
        await stage.stop()
    }

    @Test func `recent frames are few, and hold none of the driver's memory`() async throws {
        let stage = try await PhotoStage()
        let driver = Lock(0)
        for number in 0..<20 {
            let picture = try stage.camera.picture(number)
            driver.withLock { $0 += 1 }
            let lent = picture.lent { driver.withLock { $0 -= 1 } }
            let time = MediaTime(value: Int64(number), timescale: 30)
            stage.camera.sink?.receive(
                VideoFrame(buffer: lent, presentationTime: time, hostTime: .now, sequence: UInt64(number)),
                buffersLeft: 4)
        }
        #expect(await becomes { driver.withLock { $0 } == 0 })
        let reader = try stage.session.reader("photo")
        #expect(await becomes { ((try? stage.session.reader("photo"))?.frames.delivered ?? 0) >= 4 })
        #expect(reader.held <= 3 + 1)
        await stage.stop()
        #expect(try stage.session.reader("photo").held == 0)
    }

    @Test func `a compressed camera's frame is decoded when it becomes a photo`() async throws {
        let stage = try await PhotoStage()
        stage.camera.isCompressed.withLock { $0 = true }
        try await stage.give(0..<4)
        var settings = PhotoSettings()
        settings.format = .png()
        settings.keepsFrame = true
        let photo = try await stage.output.capture(settings)
        #expect(try PhotoStage.number(of: photo) == 3)
        #expect(try #require(photo.frame).buffer.size == PixelSize(width: 320, height: 240))
        await stage.stop()
    }

    @Test(arguments: Orientation.allCases, [false, true])
    func `a turn in pixels and one in EXIF show the same`(turn: Orientation, isMirrored: Bool) async throws {
        let stage = try await PhotoStage()
        stage.camera.attachments.withLock { $0.uprightTurn = .right }
        try await stage.give(0..<2)
        var settings = PhotoSettings()
        settings.format = .png()
        settings.orientation = turn
        settings.isMirrored = isMirrored
        settings.size = .pixels(turn.isTransposed ? PixelSize(width: 80, height: 60) : PixelSize(width: 60, height: 80))
        let turned = try await stage.output.capture(settings)
        settings.orientationPlacement = .exif
        let stored = try await stage.output.capture(settings)
        let info = try StillInfo(stored.data)
        #expect(try StillInfo(turned.data).orientation == .up)
        var request = ImageRequest()
        request.orientation = info.orientation
        request.isMirrored = info.isMirrored
        let shown = try ImageTransformer.transform(PNGDecoder.decode(stored.data), request)
        let expected = try PNGDecoder.decode(turned.data)
        #expect(shown.size == expected.size && shown.size == turned.size)
        // Chroma that pixels share is not shared by the same ones after a turn.
        let difference = zip(shown.packedBytes(), expected.packedBytes()).count { abs(Int($0) - Int($1)) > 60 }
        #expect(difference * 20 < shown.packedByteCount)
        #expect(stored.size == PixelSize(width: 80, height: 60))
        await stage.stop()
    }

    @Test func `the connection's turn counts where the settings have none`() async throws {
        let stage = try await PhotoStage()
        stage.output.connection.orientation = .left
        try await stage.give(0..<1)
        #expect(try await stage.output.capture().size == PixelSize(width: 240, height: 320))
        await stage.stop()
    }

    @Test func `a photo says when, by what and how it was taken`() async throws {
        let table = ControlTable.phone()
        let stage = try await PhotoStage(table: table)
        table.change("iso_sensitivity_auto", to: 0)
        table.change("auto_exposure_bias", to: 1)
        try await stage.give(0..<1)
        var settings = PhotoSettings()
        settings.metadata.title = "Titel"
        settings.metadata.exposure = Metadata.Exposure()
        settings.metadata.exposure?.aperture = 1.8
        // The date is the frame's moment, converted between two clocks at some instant of the capture.
        let (wallBefore, hostBefore) = (WallTime.now.nanosecondsSince1970, HostTime.now)
        let photo = try await stage.output.capture(settings)
        let (hostAfter, wallAfter) = (HostTime.now, WallTime.now.nanosecondsSince1970)
        let read = try StillInfo(photo.data).metadata
        #expect(
            read.make == "Acme" && read.model == "Stage" && read.software == "Obscura \(ObscuraBuild.version)"
                && read.title == "Titel")
        #expect(read.exposure == photo.metadata.exposure)
        #expect(read.exposure?.duration == 0.01 && read.exposure?.iso == 400 && read.exposure?.bias == -0.5)
        #expect(read.exposure?.aperture == 1.8 && read.exposure?.flashFired == false)
        let taken = try #require(photo.metadata.date).nanosecondsSince1970
        let earliest = wallBefore - (hostAfter - stage.moment(of: 0)).wholeNanoseconds
        let latest = wallAfter - (hostBefore - stage.moment(of: 0)).wholeNanoseconds
        // The system may adjust the wall clock meanwhile, by up to a millisecond in a second.
        let adjustment = 1_000_000 + (hostAfter - hostBefore).wholeNanoseconds / 1000
        #expect((earliest - adjustment...latest + adjustment).contains(taken))
        #expect(read.date == photo.metadata.date)
        await stage.stop()
    }

    @Test func `what the automatic governs is not told`() async throws {
        let stage = try await PhotoStage(table: .webcam())
        try await stage.give(0..<1)
        let photo = try await stage.output.capture()
        #expect(photo.metadata.exposure == nil)
        await stage.stop()
    }

    @Test func `many captures at once each get their photo`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<3)
        let numbers = try await withThrowingTaskGroup(of: (Int, UInt64?).self) { group in
            for index in 0..<12 {
                group.addTask {
                    let number = index % 3
                    let photo = try await stage.output.capture(pressedAt: stage.moment(of: number))
                    return (number, try PhotoStage.number(of: photo))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(numbers.count == 12 && numbers.allSatisfy { UInt64($0.0) == $0.1 })
        await stage.stop()
    }

    // MARK: What ends the wait

    @Test func `without a session, a start or a camera there is an error that says so`() async throws {
        let output = PhotoOutput()
        #expect(await PhotoStage.failure { try await output.capture() } == .invalidConfiguration)
        let stage = try await PhotoStage(starts: false)
        #expect(await PhotoStage.failure { try await stage.output.capture() } == .notRunning)
        try await stage.session.start()
        stage.output.connection.isEnabled = false
        #expect(await PhotoStage.failure { try await stage.output.capture() } == .invalidConfiguration)
        stage.output.connection.isEnabled = true
        var worst = PhotoSettings()
        worst.format = .jpeg(quality: 0)
        var none = PhotoSettings()
        none.size = .pixels(PixelSize(width: 0, height: 1))
        for settings in [worst, none] {
            let code = await PhotoStage.failure { try await stage.output.capture(settings) }
            #expect(code == .invalidConfiguration)
        }
        await stage.session.pause()
        #expect(await PhotoStage.failure { try await stage.output.capture() } == .notRunning)
        await stage.stop()
        #expect(await PhotoStage.failure { try await stage.output.capture() } == .notRunning)
    }

    @Test func `a stop ends a capture that waits, and the next start takes photos again`() async throws {
        let stage = try await PhotoStage()
        async let code = PhotoStage.failure { try await stage.output.capture() }
        #expect(await stage.waits())
        await stage.session.stop()
        #expect(await code == .cancelled)
        try await stage.session.start()
        try await stage.give(5..<6)
        #expect(try await PhotoStage.number(of: stage.output.capture()) == 5)
        await stage.stop()
    }

    /// Closes a queue of photo requests while it keeps a frame.
    private final class Closer: LedgerObserver {
        private let tap: PhotoRequestQueue

        init(_ tap: PhotoRequestQueue) { self.tap = tap }

        func delivered() {}
        func skipped(_ count: Int) {}
        func dropped(_ count: Int, _ reason: DropReason) {}
        func holdingsChanged(by change: Int) {
            if change > 0 { tap.close(throwing: .cancelled(.capture, "photo")) }
        }
    }

    @Test func `a frame that was being kept during a stop is released`() async throws {
        let tap = PhotoRequestQueue(name: "photo", depth: 3, limit: 4, patience: .seconds(60))
        let reader = FrameReader(
            name: "photo", policy: .bounded(4), leaseLimit: 8, deliversUpright: false, settings: { ImageRequest() },
            onArrival: { [weak tap] in tap?.arrived() })
        #expect(tap.open(reader))
        reader.queue.report(to: Closer(tap))
        let picture = try PixelBuffer(format: .gray8, width: 8, height: 4)
        reader.receive(
            RoutedFrame(
                VideoFrame(buffer: picture, presentationTime: .zero, hostTime: .now, sequence: 0), arrival: .now))
        #expect(await becomes { reader.ledger.dropped[.stopped] == 1 && reader.holdings.count == 0 })
        #expect(reader.ledger.isBalanced)
    }

    @Test func `cancelling the task ends the wait`() async throws {
        let stage = try await PhotoStage()
        let task = Task { await PhotoStage.failure { try await stage.output.capture() } }
        #expect(await stage.waits())
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(await stage.waits(0))
        // One that is cancelled before it begins, too.
        let late = Task { () -> ObscuraError.Code? in
            while !Task.isCancelled { await Task.yield() }
            return await PhotoStage.failure { try await stage.output.capture() }
        }
        late.cancel()
        #expect(await late.value == .cancelled)
        await stage.stop()
    }

    @Test func `a camera that goes ends the capture with what it said`() async throws {
        let stage = try await PhotoStage()
        async let code = PhotoStage.failure { try await stage.output.capture() }
        #expect(await stage.waits())
        stage.camera.sink?.finish(
            throwing: ObscuraError(.capture, .deviceDisconnected, subject: "stage", reason: "it was unplugged"))
        #expect(await code == .deviceDisconnected)
        await stage.stop()
    }

    @Test func `a camera that gives nothing is not waited for for ever`() async throws {
        let stage = try await PhotoStage(patience: .milliseconds(20))
        #expect(await PhotoStage.failure { try await stage.output.capture() } == .timedOut)
        await stage.stop()
    }

    @Test func `after a switch of cameras no photo shows the former one`() async throws {
        let stage = try await PhotoStage()
        try await stage.give(0..<3)
        let other = StageCamera(formats: [PhotoStage.large], table: nil, name: "\(#function) other")
        let former = try #require(stage.session.inputs.first)
        try await stage.session.configure {
            try $0.replaceInput(former, with: CaptureDeviceInput(device: CaptureDevice(driver: other)))
        }
        async let photo = stage.output.capture()
        #expect(await stage.waits())
        try other.give(7)
        #expect(try await photo.sequence == 7)
        #expect(try await photo.size == PhotoStage.large.size)
        await stage.stop()
    }

    @Test func `photos that keep their frames count as held, and its reader alone gets no more`() async throws {
        let stage = try await PhotoStage(recentFrames: 1)
        var settings = PhotoSettings()
        settings.keepsFrame = true
        var photos: [Photo] = []
        for number in 0..<40 {
            try stage.camera.give(number)
            let isIn = await becomes {
                stage.output.tap.last?.hostTime == stage.moment(of: number) || self.isFull(stage)
            }
            #expect(isIn)
            if isFull(stage) { break }
            photos.append(try await stage.output.capture(settings, pressedAt: stage.moment(of: number)))
        }
        // The recent one, those that may be in hand, and a few more.
        // Where there was no room for a frame, the photo is of the one before.
        let held = Set(photos.map(\.sequence)).count
        #expect(held >= 16 && held < 25)
        #expect(try stage.session.reader("photo").held >= held)
        photos = []
        try await stage.give(100..<102)
        #expect(try await stage.output.capture(pressedAt: stage.moment(of: 101)).sequence == 101)
        await stage.stop()
    }

    private func isFull(_ stage: PhotoStage) -> Bool {
        ((try? stage.session.reader("photo"))?.frames.dropped[.outOfBuffers] ?? 0) > 0
    }
}
