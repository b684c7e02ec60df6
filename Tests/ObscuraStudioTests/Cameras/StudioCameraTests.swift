// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct StudioCameraTests {
    private let request = PictureRequest(box: PixelSize(width: 80, height: 48), gravity: .resizeAspect)

    private func status(_ camera: StudioCamera) -> CameraDescription.Status {
        camera.description(revision: 1, listed: [], freeSpace: 0).state
    }

    @Test func `The first viewer starts the camera, and the last one that leaves stops it`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        #expect(status(camera) == .idle && !camera.session.isRunning)
        let seen = Count()
        var watch: StudioCamera.Watch? = try camera.watch(request) { picture in
            if picture.size == PixelSize(width: 80, height: 48), picture.bytes.readableBytes > 100 { seen.add() }
        }
        #expect(await seen.reaches(5))
        #expect(await becomes { status(camera) == .running })
        #expect(camera.description(revision: 1, listed: [], freeSpace: 0).viewers == 1)
        withExtendedLifetime(watch) {}
        watch = nil
        #expect(await becomes { status(camera) == .idle && !camera.session.isRunning })
        // And again.
        watch = try camera.watch(request) { _ in seen.add() }
        let before = seen.now
        #expect(await seen.reaches(before + 3))
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `Who watches the same shares one encoding, and nobody is left out`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let tallies = (0..<8).map { _ in Count() }
        let sequences = Lock<Set<UInt32>>([])
        let watches = try tallies.map { tally in
            try camera.watch(request) { picture in
                sequences.withLock { _ = $0.insert(picture.sequence) }
                tally.add()
            }
        }
        for tally in tallies { #expect(await tally.reaches(10)) }
        #expect(Set(watches.map { ObjectIdentifier($0.stream) }).count == 1)
        withExtendedLifetime(watches) {}
        await test.studio.close()
    }

    /// A view without its camera would neither resume with it nor end with it.
    @Test func `A view belongs to its camera as long as it is watched, while others come and go`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let lost = Count()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { [request] in
                    for _ in 0..<500 {
                        guard let watch = try? camera.watch(request, { _ in }) else { return lost.add() }
                        let known = camera.state.withLock { $0.streams[watch.stream.request]?.stream }
                        if known !== watch.stream { lost.add() }
                    }
                }
            }
        }
        #expect(lost.now == 0)
        #expect(camera.state.withLock { $0.streams.isEmpty })
        await test.studio.close()
    }

    @Test func `A viewer that comes when the camera was removed is told`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let watch = try camera.watch(request) { _ in }
        await camera.remove()
        let ended = Count()
        let number = watch.stream.add(PictureStream.Viewer(receive: { _ in }, end: { ended.add() }))
        #expect(ended.now == 1)
        watch.stream.remove(number)
        await test.studio.close()
    }

    @Test func `So many different views are encoded, and no more`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        var watches: [StudioCamera.Watch] = []
        for index in 0..<StudioCamera.mostStreams {
            var request = request
            request.quality = 10 + index
            watches.append(try camera.watch(request) { _ in })
        }
        var other = request
        other.quality = 99
        let error = #expect(throws: ObscuraError.self) { _ = try camera.watch(other) { _ in } }
        #expect(error?.code == .tooMuch)
        // One leaves, and there is room.
        watches.removeLast()
        watches.append(try camera.watch(other) { _ in })
        watches.removeAll()
        await test.studio.close()
    }

    @Test func `A camera that drops out says so, and goes on by itself`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.replay("test", try ReplayEvent.droppingOut()))
        let seen = Count()
        let watch = try camera.watch(request) { _ in seen.add() }
        #expect(await becomes { status(camera) == .disconnected })
        let problem = camera.description(revision: 1, listed: [], freeSpace: 0).problem
        #expect(problem?.code == "deviceDisconnected" && problem?.advice != nil)
        #expect(await becomes { status(camera) == .running })
        let before = seen.now
        #expect(await seen.reaches(before + 3))
        #expect(test.notices.map(\.level) == [.warning, .info])
        #expect(camera.description(revision: 1, listed: [], freeSpace: 0).problem == nil)
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `A camera that may not be used says what to do`() async throws {
        let test = try TestStudio()
        let device = CaptureDevice.replay("test", [], status: .notDetermined, allows: false)
        let camera = try test.studio.add(device)
        await #expect(throws: ObscuraError.self) { try await camera.start() }
        #expect(status(camera) == .denied)
        #expect(camera.description(revision: 1, listed: [], freeSpace: 0).problem?.code == "notAuthorized")
        await test.studio.close()
    }

    @Test func `While the user is asked, the camera says so, with the purpose that the program gives`() async throws {
        CameraPermission.settings.usageDescription = "Scans the codes of parcels."
        defer { CameraPermission.settings.usageDescription = nil }
        let test = try TestStudio()
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let device = CaptureDevice(
            driver: ReplayDriver(
                name: "test", formats: [VideoFormat(pixelFormat: .i420, width: 160, height: 96)], script: [],
                authorizationStatus: .notDetermined, requestAccess: { await answers.first { _ in true } ?? false }))
        let listed = DeviceDescription(device, kind: .camera, isBuiltIn: false)
        #expect(listed.authorization == .notDetermined && listed.usage == "Scans the codes of parcels.")
        let camera = try test.studio.add(device)
        let start = Task { try await camera.start() }
        #expect(await becomes { status(camera) == .asking })
        let problem = camera.description(revision: 1, listed: [], freeSpace: 0).problem
        #expect(problem?.code == "notAuthorized" && problem?.advice == "Scans the codes of parcels.")
        answer.yield(false)
        await #expect(throws: ObscuraError.self) { try await start.value }
        #expect(status(camera) == .denied)
        await test.studio.close()
    }

    @Test func `A camera that fails can be started again`() async throws {
        let test = try TestStudio()
        let isBroken = Lock(true)
        let picture = try PixelBuffer(format: .i420, width: 160, height: 96)
        let camera = try test.studio.add(
            .replay("test", ReplayEvent.frames(600, of: picture, at: FrameRate(30))) { _ in
                isBroken.withLock { $0 }
                    ? ObscuraError(.capture, .deviceInUse, subject: "Replay", reason: "somebody has it") : nil
            })
        let seen = Count()
        let watch = try camera.watch(request) { _ in seen.add() }
        #expect(await becomes { status(camera) == .failed })
        #expect(camera.description(revision: 1, listed: [], freeSpace: 0).problem?.code == "deviceInUse")
        isBroken.withLock { $0 = false }
        try await camera.start()
        // Who watched all the time sees it now.
        #expect(await seen.reaches(3))
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test(arguments: [
        "srt://0.0.0.0:9000?mode=listener", "srt://0.0.0.0:9000?mode=listener&mode=caller",
        "srt://0.0.0.0:9000?mode=caller&mode=listener", "srt://0.0.0.0:9000?latency=1&MODE=Rendezvous",
        "srt://0.0.0.0:9000?latency=1?mode=listener", "srt://0.0.0.0:9000?mode=callers", "srt://0.0.0.0:9000?mode=",
        // For Swift "?" and "&" are parts of other characters there.
        "srt://0.0.0.0:9000?\u{301}&mode=listener", "srt://0.0.0.0:9000?latency=1\u{600}&mode=listener",
    ])
    func `A page cannot have the Studio wait for callers`(address: String) async throws {
        let test = try TestStudio(allowsSources: true)
        let error = await #expect(throws: ObscuraError.self) {
            try await test.studio.add(CameraRequest(source: address))
        }
        #expect(error?.code == .invalidRequest)
        #expect(test.studio.cameras.isEmpty)
    }

    @Test func `A film that is over says so`() async throws {
        let test = try TestStudio()
        let picture = try PixelBuffer(format: .i420, width: 160, height: 96)
        let script = ReplayEvent.frames(5, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .milliseconds(200), .end)]
        let camera = try test.studio.add(.replay("test", script))
        let watch = try camera.watch(request) { _ in }
        #expect(await becomes { status(camera) == .ended })
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `One picture can be had of a camera at which nobody looks`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let picture = try await camera.picture { request }
        #expect(try Still(Array(picture.bytes.readableBytesView)).picture.size == PixelSize(width: 80, height: 48))
        #expect(await becomes { status(camera) == .idle })
        await test.studio.close()
    }

    @Test func `What was removed is gone for good`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let seen = Count()
        let watch = try camera.watch(request) { _ in seen.add() }
        #expect(await seen.reaches(1))
        try await test.studio.removeCamera(camera.id)
        #expect(!camera.session.isRunning)
        let error = #expect(throws: ObscuraError.self) { _ = try camera.watch(request) { _ in } }
        #expect(error?.code == .noSuchCamera)
        await #expect(throws: ObscuraError.self) { try await camera.start() }
        await #expect(throws: ObscuraError.self) { try await test.studio.removeCamera(camera.id) }
        withExtendedLifetime(watch) {}
    }

    @Test func `There are so many cameras, and no more, and each once`() throws {
        let test = try TestStudio()
        let first = try test.studio.add(.pattern())
        #expect(try test.studio.add(.pattern()).id == first.id)
        for index in 1..<Studio.mostCameras { try test.studio.add(.replay("\(index)", [])) }
        let error = #expect(throws: ObscuraError.self) { try test.studio.add(.replay("one more", [])) }
        #expect(error?.code == .tooMuch)
        #expect(Set(test.studio.cameras.map(\.id)).count == Studio.mostCameras)
    }

    @Test func `A camera of the machine has its microphone, as long as no other camera uses it`() async throws {
        let (first, second) = (try CaptureDevice.pattern(), try CaptureDevice.pattern("pattern:96x64@30"))
        let tone = try CaptureDevice.named("tone")
        let test = try TestStudio(listed: [first, second, tone])
        try await test.studio.add(named: "pattern:160x96@60")
        try await test.studio.add(named: "pattern:96x64@30")
        // Not a camera of the machine.
        try await test.studio.add(named: "pattern:320x180@30")
        let cameras = test.studio.cameras
        #expect(cameras.map(\.microphone) == [tone, nil, nil])
        // It can be taken away.
        var change = CameraChange()
        change.microphone = .some(nil)
        try await cameras[0].apply(change)
        #expect(!cameras[0].hasMicrophone)
    }

    @Test func `A film is over also where a microphone goes on, and can be seen again`() async throws {
        let tone = try CaptureDevice.named("tone")
        let test = try TestStudio(listed: [tone])
        let picture = try PixelBuffer(format: .i420, width: 160, height: 96)
        let script = ReplayEvent.frames(5, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .milliseconds(200), .end)]
        let camera = try test.studio.add(.replay("test", script))
        var change = CameraChange()
        change.microphone = .some(tone.uniqueID)
        try await camera.apply(change)
        let seen = Count()
        let watch = try camera.watch(request) { _ in seen.add() }
        #expect(await becomes { status(camera) == .ended })
        #expect(!camera.session.isRunning)
        let before = seen.now
        try await camera.start()
        #expect(await seen.reaches(before + 1))
        #expect(await becomes { status(camera) == .ended })
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `Who watches a camera that is taken out is told`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let (seen, ends) = (Count(), Count())
        let watches = try (0..<3).map { _ in try camera.watch(request, end: { ends.add() }) { _ in seen.add() } }
        #expect(await seen.reaches(3))
        try await test.studio.removeCamera(camera.id)
        #expect(ends.now == 3)
        withExtendedLifetime(watches) {}
    }

    @Test func `Starts, stops and changes from all sides leave a camera that does as it says`() async throws {
        let devices = try [CaptureDevice.pattern("pattern:160x96@60"), .pattern("pattern:96x96@60")]
        let tone = try CaptureDevice.named("tone")
        let test = try TestStudio(listed: devices + [tone])
        let camera = try test.studio.add(devices[0])
        await withTaskGroup { group in
            for index in 0..<24 {
                group.addTask { [request] in
                    var change = CameraChange()
                    switch index % 4 {
                    case 0: change.device = devices[index / 4 % 2].uniqueID
                    case 1: change.microphone = .some(index % 8 == 1 ? tone.uniqueID : nil)
                    case 2: change.effects = index % 8 == 2 ? ["mono"] : []
                    default:
                        let watch = try? camera.watch(request) { _ in }
                        try? await camera.start()
                        withExtendedLifetime(watch) {}
                    }
                    try? await camera.apply(change)
                }
            }
        }
        let seen = Count()
        let watch = try camera.watch(request) { _ in seen.add() }
        try await camera.start()
        #expect(await seen.reaches(3))
        #expect(status(camera) == .running)
        // One camera, and the microphone or none.
        #expect(camera.session.inputs.count == (camera.hasMicrophone ? 2 : 1))
        #expect(camera.session.inputs.contains { $0.device == camera.device })
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `A camera that was taken out leaves nothing behind`() async throws {
        let test = try TestStudio()
        let gone = Lock(Gone())
        do {
            let camera = try test.studio.add(.pattern())
            gone.withLock { ($0.camera, $0.session) = (camera, camera.session) }
            let seen = Count()
            let watch = try camera.watch(request) { _ in seen.add() }
            #expect(await seen.reaches(2))
            _ = try await camera.takePhotos(PhotosRequest(count: 2), into: test.studio.folder)
            try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
            #expect(await becomes { camera.movie.recordedDuration > .zero })
            var change = CameraChange()
            change.effects = ["mono"]
            change.faces = .mask
            try await camera.apply(change)
            try await test.studio.removeCamera(camera.id)
            withExtendedLifetime(watch) {}
        }
        // What is still on its way lets go of it.
        #expect(await becomes { gone.withLock { $0.camera == nil && $0.session == nil } })
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }

    @Test func `A camera that does not answer can be taken out while it is being opened`() async throws {
        let test = try TestStudio()
        let driver = DeafCamera()
        let camera = try test.studio.add(CaptureDevice(driver: driver))
        let watch = try camera.watch(request) { _ in }
        #expect(await driver.openings.reaches(1))
        #expect(status(camera) == .starting)
        try await test.studio.removeCamera(camera.id)
        #expect(!camera.session.isRunning && status(camera) == .idle)
        withExtendedLifetime(watch) {}
    }
}

private struct Gone {
    weak var camera: StudioCamera?
    weak var session: CaptureSession?
}

/// A camera whose opening ends only when it is given up.
private struct DeafCamera: CaptureDriver {
    let openings = Count()
    var uniqueID: String { "deaf" }
    var localizedName: String { "Deaf camera" }
    var formats: [VideoFormat] { [VideoFormat(pixelFormat: .i420, width: 16, height: 16, frameRate: FrameRate(30))] }

    func makeRun(_ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock) -> any CaptureRun {
        DeafRun(openings)
    }

    private final class DeafRun: CaptureRun {
        private let openings: Count
        private let isGivenUp = Lock(false)

        init(_ openings: Count) {
            self.openings = openings
        }

        func start() throws -> SourceFormat {
            openings.add()
            _ = isGivenUp.wait(until: .now + waitLimit) { $0 ? true : nil }
            throw ObscuraError(.capture, .cancelled, subject: "Deaf camera", reason: "it was given up")
        }

        func cancel() { isGivenUp.withLockSignalling { $0 = true } }
        func stop() { cancel() }
    }
}
