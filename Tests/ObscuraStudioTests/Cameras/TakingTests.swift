// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct TakingTests {
    @Test func `A burst is so many photos, one frame after the other`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let names = try await camera.takePhotos(PhotosRequest(count: 5), into: test.studio.folder)
        #expect(names.count == 5 && Set(names).count == 5)
        for name in names {
            let item = try await test.studio.folder.item(named: name)
            #expect(item.kind == .photo && item.width == 160 && item.height == 96)
        }
        for count in [0, -1, StudioCamera.mostPhotos + 1] {
            await #expect(throws: ObscuraError.self) {
                try await camera.takePhotos(PhotosRequest(count: count), into: test.studio.folder)
            }
        }
        await test.studio.close()
    }

    @Test func `A photo has the format and the metadata that were asked for`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        var request = PhotosRequest()
        (request.format, request.flash, request.keywords) = (.png, .auto, ["sea"])
        request.location = try GeographicLocation(latitude: 52.1, longitude: 4.3)
        let name = try #require(try await camera.takePhotos(request, into: test.studio.folder).first)
        #expect(name.hasSuffix(".png"))
        let info = try StillInfo(contentsOf: "\(test.folder.path)/\(name)")
        #expect(info.kind == .png && info.metadata.location == request.location && info.metadata.keywords == ["sea"])
        request.quality = 80
        await #expect(throws: ObscuraError.self) { try await camera.takePhotos(request, into: test.studio.folder) }
        request = PhotosRequest(flash: .on)
        await #expect(throws: ObscuraError.self) { try await camera.takePhotos(request, into: test.studio.folder) }
        await test.studio.close()
    }

    @Test func `A movie is recorded, paused and kept`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        let error = await #expect(throws: ObscuraError.self) {
            try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        }
        #expect(error?.code == .wrongState)
        #expect(await becomes { camera.movie.recordedDuration > .zero })
        try camera.setRecordingPaused(true)
        #expect(camera.recordingDescription(freeSpace: 7)?.isPaused == true)
        try camera.setRecordingPaused(false)
        let (name, result) = try await camera.stopRecording()
        #expect(result.reason == .stopped && result.isUsable)
        let item = try await test.studio.folder.item(named: name)
        #expect(item.kind == .movie && item.width == 160 && (item.duration ?? 0) > 0)
        #expect(test.studio.recentMedia.names == [name] && !camera.isRecording)
        #expect(throws: ObscuraError.self) { try camera.setRecordingPaused(true) }
        await #expect(throws: ObscuraError.self) { try await camera.stopRecording() }
        await test.studio.close()
    }

    @Test func `A movie can begin as soon as the one before has ended`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        for count in 1...5 {
            try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
            #expect(await becomes { camera.movie.recordedDuration > .zero })
            #expect(try await camera.stopRecording().result.isUsable)
            #expect(test.studio.recentMedia.names.count == count)
        }
        await test.studio.close()
    }

    @Test func `A movie ends at its limit, and people are told why`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.startRecording(RecordingRequest(maxDuration: 0.2), into: test.studio.folder)
        #expect(await becomes { !test.notices.isEmpty })
        let notice = try #require(test.notices.last)
        #expect(notice.level == .info && notice.message.contains("duration"))
        #expect(test.studio.recentMedia.names.count == 1)
        await test.studio.close()
    }

    @Test func `A movie without a picture is not said to be saved`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.replay("silent", []))
        try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        let (name, result) = try await camera.stopRecording()
        #expect(!result.isUsable && result.words.hasPrefix("was not saved: "))
        await #expect(throws: (any Error).self) { try await test.studio.folder.item(named: name) }
        #expect(await becomes { !test.notices.isEmpty })
        #expect(test.notices.last?.level == .error)
        await test.studio.close()
    }

    @Test(arguments: [
        RecordingRequest(maxDuration: 0), RecordingRequest(maxDuration: -1), RecordingRequest(maxDuration: .nan),
        RecordingRequest(maxDuration: 1e300), RecordingRequest(maxSize: 0), RecordingRequest(maxSize: .min),
    ])
    func `Limits that make no sense are refused`(request: RecordingRequest) async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        let error = await #expect(throws: ObscuraError.self) {
            try await camera.startRecording(request, into: test.studio.folder)
        }
        #expect(error?.code == .invalidRequest && !camera.isRecording)
    }

    @Test func `The end of the Studio makes its movies whole`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        #expect(await becomes { camera.movie.recordedDuration > .zero })
        await test.studio.close()
        #expect(await becomes { test.studio.recentMedia.names.count == 1 })
        let name = try #require(test.studio.recentMedia.names.first)
        #expect(try await test.studio.folder.item(named: name).duration ?? 0 > 0)
    }

    @Test func `A recording keeps the camera running when nobody looks`() async throws {
        let test = try TestStudio()
        let camera = try test.studio.add(.pattern())
        try await camera.startRecording(RecordingRequest(), into: test.studio.folder)
        var watch: StudioCamera.Watch? = try camera.watch(
            PictureRequest(box: PixelSize(width: 80, height: 48), gravity: .resizeAspect)
        ) { _ in }
        withExtendedLifetime(watch) {}
        watch = nil
        let duration = camera.movie.recordedDuration
        #expect(await becomes { camera.movie.recordedDuration > duration + MediaTime(value: 1, timescale: 2) })
        _ = try await camera.stopRecording()
        #expect(await becomes { !camera.session.isRunning })
    }
}
