// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraDrivers
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct ChangingTests {
    private func change(_ make: (inout CameraChange) -> Void) -> CameraChange {
        var change = CameraChange()
        make(&change)
        return change
    }

    private func decode(_ text: String) throws -> CameraChange {
        try JSONDecoder().decode(CameraChange.self, from: Data(text.utf8))
    }

    @Test func `What is described after a change has a greater revision, and the change`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let before = await test.studio.description()
        try await camera.apply(change { $0.isMirrored = true })
        let answer = test.studio.description(of: camera)
        let after = await test.studio.description()
        #expect(before.revision < answer.revision && answer.revision < after.revision)
        #expect(before.cameras.map(\.revision) == [before.revision])
        #expect(after.cameras.map(\.revision) == [after.revision])
        #expect(answer.isMirrored && after.cameras.map(\.isMirrored) == [true])
        await test.studio.close()
    }

    @Test func `A microphone that is taken away is another setting than none`() throws {
        #expect(try decode("{}") == CameraChange())
        #expect(try decode(#"{"microphone":null}"#) == change { $0.microphone = .some(nil) })
        #expect(try decode(#"{"microphone":"tone"}"#) == change { $0.microphone = "tone" })
        #expect(throws: DecodingError.self) { try decode(#"{"orientation":"sideways"}"#) }
        #expect(throws: DecodingError.self) { try decode(#"{"preset":"best"}"#) }
        let all =
            #"{"device":"d","preset":"low","isMirrored":true,"orientation":"left","effects":[],"faces":"mosaic","zoom":2,"torch":false,"focus":"locked"}"#
        let again = try JSONDecoder().decode(CameraChange.self, from: JSONEncoder().encode(try decode(all)))
        #expect(try again == decode(all))
    }

    @Test func `Every output shows the picture in the same way`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.apply(
            change {
                $0.isMirrored = true
                $0.orientation = .right
                $0.effects = ["mono", "ripple"]
            })
        let connections = [camera.preview.connection, camera.photos.connection, camera.movie.connection(with: .video)]
        for connection in connections {
            #expect(connection?.isMirrored == true && connection?.orientation == .right)
            #expect(connection?.effects == [.mono, .ripple(camera.ripple)])
        }
        let name = try #require(try await camera.takePhotos(PhotosRequest(count: 1), into: test.studio.folder).first)
        let item = try await test.studio.folder.item(named: name)
        #expect(item.width == 96 && item.height == 160)
        await test.studio.close()
    }

    @Test(arguments: [
        ["lut:/etc/passwd"], ["overlay:/etc/passwd"], ["text:hello"], ["mono", "mono"], [""], ["blur:8"],
    ])
    func `Effects that read files, or are none, are refused, and all stays`(effects: [String]) async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.apply(change { $0.effects = ["sepia"] })
        await #expect(throws: ObscuraError.self) {
            try await camera.apply(
                change {
                    $0.effects = effects; $0.isMirrored = true
                })
        }
        let description = camera.description(revision: 1, listed: [], freeSpace: 0)
        #expect(description.effects == ["sepia"] && !description.isMirrored)
    }

    @Test func `Only listed devices can be chosen, and the picture goes on with the other one`() async throws {
        let devices = try [CaptureDevice.pattern("pattern:160x96@60"), .pattern("pattern:96x96@60")]
        let test = try TestStudio(listed: devices)
        let camera = try test.studio.add(devices[0])
        let sizes = Lock<Set<Int>>([])
        let seen = Count()
        let watch = try camera.watch(PictureRequest(box: PixelSize(width: 64, height: 64), gravity: .resizeAspect)) {
            let size = $0.size
            if sizes.withLock({ $0.insert(size.height).inserted }) { seen.add() }
        }
        #expect(await seen.reaches(1))
        for id in ["/dev/video0", "camera", "", "../../etc/passwd", "pattern:640x480"] {
            let error = await #expect(throws: ObscuraError.self) {
                try await camera.apply(change { $0.device = id })
            }
            #expect(error?.code == .noSuchDevice)
        }
        try await camera.apply(change { $0.device = devices[1].uniqueID })
        #expect(await seen.reaches(2))
        #expect(camera.device == devices[1])
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }

    @Test func `Sound comes and goes, and is recorded while it is there`() async throws {
        let tone = try CaptureDevice.named("tone")
        let test = try TestStudio(listed: [tone])
        let camera = try test.studio.add(.pattern())
        try await camera.apply(change { $0.microphone = .some(tone.uniqueID) })
        #expect(camera.hasMicrophone)
        try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        #expect(await becomes { camera.movie.recordedDuration > .zero })
        #expect(await becomes { camera.movie.connection(with: .audio)?.audioChannels.isEmpty == false })
        let (name, _) = try await camera.stopRecording()
        let item = try await test.studio.folder.item(named: name, withMetadata: true)
        let facts = item.metadata?.map { "\($0.label) \($0.value)".lowercased() } ?? []
        #expect(facts.contains { $0.contains("aac") || $0.contains("sound") }, "\(facts)")
        try await camera.apply(change { $0.microphone = .some(nil) })
        #expect(!camera.hasMicrophone)
        await test.studio.close()
    }

    @Test func `A tap makes a wave only with the effect`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.tap(x: 0.5, y: 0.5)
        #expect(camera.ripple.isAtRest)
        try await camera.apply(change { $0.effects = ["ripple"] })
        try await camera.tap(x: 0.5, y: 0.5)
        #expect(!camera.ripple.isAtRest)
    }

    @Test func `A camera without controls has none`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        #expect(try await camera.controls().isEmpty)
        await #expect(throws: ObscuraError.self) { try await camera.setControls(["brightness": 1]) }
        await #expect(throws: ObscuraError.self) { try await camera.apply(change { $0.zoom = 2 }) }
    }

    @Test func `Another camera takes the place of one that was unplugged`() async throws {
        let other = try CaptureDevice.pattern()
        let test = try TestStudio(listed: [other])
        let picture = try PixelBuffer(format: .i420, width: 160, height: 96)
        let script =
            ReplayEvent.frames(3, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .milliseconds(200), .unplug)]
        let camera = try test.studio.add(.replay("test", script))
        let seen = Count()
        let watch = try camera.watch(PictureRequest(box: PixelSize(width: 64, height: 64), gravity: .resizeAspect)) {
            _ in seen.add()
        }
        #expect(await becomes { camera.description(revision: 1, listed: [], freeSpace: 0).state == .disconnected })
        let before = seen.now
        try await camera.apply(change { $0.device = other.uniqueID })
        let description = camera.description(revision: 1, listed: [other.uniqueID], freeSpace: 0)
        #expect(description.state == .running && description.problem == nil && description.device == other.uniqueID)
        #expect(await seen.reaches(before + 3))
        withExtendedLifetime(watch) {}
        await test.studio.close()
    }
}
