// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio

/// A picker with the test pattern as its camera, controlled by the program. One at a time: a process has one page.
@Suite(.hangLimit, .serialized) struct MediaPickerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "picker-\(UUID().uuidString)")

    private func configuration(
        _ change: (inout MediaPickerConfiguration) -> Void = { _ in }
    ) -> MediaPickerConfiguration {
        var configuration = MediaPickerConfiguration()
        configuration.camera = "pattern:160x96@60"
        configuration.sources = [.camera, .disk]
        configuration.outputFolder = folder.path
        configuration.maximumCount = 5
        change(&configuration)
        return configuration
    }

    private func picker(_ change: (inout MediaPickerConfiguration) -> Void = { _ in }) throws -> MediaPicker {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try MediaPicker(configuration(change), devices: .machine, logger: logger)
    }

    /// Opens the page, runs `body` as the program, and returns the result.
    private func picked(
        with picker: MediaPicker, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [PickedMedia] {
        let (opened, open) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        async let picked = picker.pick { _ in open.finish() }
        for await _ in opened {}
        do {
            try await body()
        } catch {
            picker.cancel()
            _ = try await picked
            throw error
        }
        return try await picked
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    @Test func `The program takes a photo and a movie, and gets the files`() async throws {
        let picker = try picker()
        let picked = try await picked(with: picker) {
            try await picker.takePhoto()
            try await picker.startRecording()
            await #expect(throws: ObscuraError.self) { try await picker.finish() }
            let camera = picker.session.withLock { $0?.studio.cameras.first }
            #expect(await becomes { camera?.movie.recordedDuration ?? .zero > .zero })
            try await picker.stopRecording()
            try await picker.finish()
        }
        try #require(picked.count == 2)
        #expect(picked.map(\.kind) == [.photo, .movie] && picked.allSatisfy { $0.source == .camera })
        #expect(picked.map(\.size) == [PixelSize(width: 160, height: 96), PixelSize(width: 160, height: 96)])
        #expect(Set(picked.map { URL(filePath: $0.path).lastPathComponent }) == Set(files))
        #expect(try StillInfo(contentsOf: picked[0].path).size == PixelSize(width: 160, height: 96))
        #expect(try MovieContents.read(picked[1].path).duration ?? .zero > .zero)
        var events: [String] = []
        for await event in picker.events {
            events.append("\(event)".prefix { $0 != "(" }.description)
            if events.count == 3 { break }
        }
        #expect(events == ["opened", "added", "added"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `After a cancellation nothing is left`() async throws {
        let picker = try picker()
        let picked = try await picked(with: picker) {
            try await picker.takePhoto()
            picker.cancel()
        }
        #expect(picked.isEmpty && !FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `A cancelled task ends the page`() async throws {
        let picker = try picker()
        let (opened, open) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { try await picker.pick { _ in open.finish() } }
        for await _ in opened {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        // The next one opens.
        #expect(try await picked(with: picker) { picker.cancel() }.isEmpty)
    }

    @Test func `A second picker at the same time is rejected`() async throws {
        let picker = try picker()
        _ = try await picked(with: picker) {
            let other = try self.picker()
            let error = await #expect(throws: ObscuraError.self) { try await other.pick { _ in } }
            #expect(error?.code == .wrongState && error?.reason == "another media picker is open")
            await #expect(throws: ObscuraError.self) { try await other.takePhoto() }
            picker.cancel()
        }
    }

    @Test func `Photos get the fixed ratio and the maximum is kept`() async throws {
        let picker = try picker {
            $0.cropRatios = [AspectRatio("1:1")].compactMap(\.self)
            $0.maximumCount = 2
            $0.kinds = [.photo]
        }
        let picked = try await picked(with: picker) {
            for _ in 0..<2 { try await picker.takePhoto() }
            let error = await #expect(throws: ObscuraError.self) { try await picker.takePhoto() }
            #expect(error?.code == .wrongState)
            let other = await #expect(throws: ObscuraError.self) { try await picker.startRecording() }
            #expect(other?.code == .notAllowed)
            try await picker.finish()
        }
        #expect(picked.count == 2)
        for photo in picked {
            #expect(try StillInfo(contentsOf: photo.path).size == PixelSize(width: 96, height: 96))
            #expect(photo.size == PixelSize(width: 96, height: 96))
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `Too few are rejected, and existing files stay`() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "there.png")
        let picture = try PixelBuffer(format: .bgra, width: 8, height: 6)
        try Data(PNGEncoder().encode(picture)).write(to: file)
        let before = try Data(contentsOf: file)
        let picker = try picker {
            $0.preselected = [file.path]
            $0.minimumCount = 2
        }
        let picked = try await picked(with: picker) {
            let error = await #expect(throws: ObscuraError.self) { try await picker.finish() }
            #expect(error?.code == .wrongState)
            try await picker.takePhoto()
            try await picker.finish()
        }
        #expect(picked.first?.path == folder.appending(path: "there-2.png").path && picked.first?.original == file.path)
        #expect(picked.first?.source == .disk && files.count == 3)
        #expect(try Data(contentsOf: file) == before)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `Nothing is lost if the program finishes while something is being added`() async throws {
        let picker = try picker()
        let picked = try await picked(with: picker) {
            try await picker.takePhoto()
            let session = try #require(picker.session.withLock { $0 })
            try await session.studio.changing {
                let error = await #expect(throws: ObscuraError.self) { try await picker.finish() }
                #expect(error?.code == .wrongState)
            }
            try await picker.finish()
            // Too late.
            picker.cancel()
        }
        #expect(picked.count == 1 && files.count == 1)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `Events tell the selection in its order`() async throws {
        let picker = try picker()
        let taken = Lock<[String]>([])
        _ = try await picked(with: picker) {
            let session = try #require(picker.session.withLock { $0 })
            for _ in 0..<3 { try await picker.takePhoto() }
            let names = session.studio.recentMedia.names
            taken.withLock { $0 = names }
            try await session.select([names[0], names[2]])
            try await session.select(names)
            try await session.select(names.reversed())
            await #expect(throws: ObscuraError.self) { try await session.select([names[0], names[0]]) }
            await #expect(throws: ObscuraError.self) { try await session.select(["unknown.jpg"]) }
            _ = try await session.studio.setRecipe(StillRecipe([.mirror]), of: names[1])
            picker.cancel()
        }
        var (told, selection): ([MediaPickerEvent], [String]) = ([], [])
        for await event in picker.events {
            if case .ended = event { break }
            told.append(event)
            switch event {
            case .added(let name, _): selection.append(name)
            case .removed(let name): selection.removeAll { $0 == name }
            case .moved(let names): selection = names
            case .opened, .edited, .ended: break
            }
        }
        #expect(told.count == 9 && selection == taken.withLock { $0.reversed() })
        guard case .edited(let edited) = told.last else { throw CancellationError() }
        #expect(edited == selection[1])
    }

    @Test func `Without a camera the other sources remain`() async throws {
        let picker = try picker { $0.camera = "/dev/video-that-is-not-there" }
        let picked = try await picked(with: picker) {
            let error = await #expect(throws: ObscuraError.self) { try await picker.takePhoto() }
            #expect(error?.code == .noSuchCamera)
            picker.cancel()
        }
        #expect(picked.isEmpty)
        let only = try self.picker {
            $0.camera = "/dev/video-that-is-not-there"
            $0.sources = [.camera]
        }
        await #expect(throws: ObscuraError.self) { try await only.pick { _ in } }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(
        arguments: [
            { $0.maximumCount = 0 }, { $0.minimumCount = 0 }, { $0.minimumCount = 6 }, { $0.sources = [] },
            { $0.kinds = [] },
            { $0.preselected = Array(repeating: "a.jpg", count: 6) }, { $0.accentColor = "red" },
            { $0.backgroundColor = "#12345g" }, { $0.maximumMovieDuration = .nan }, { $0.maximumMovieDuration = 0 },
            {
                $0.showsControls = false
                $0.sources = [.disk]
            },
        ] as [@Sendable (inout MediaPickerConfiguration) -> Void])
    func `Contradictory settings are rejected`(_ change: @Sendable (inout MediaPickerConfiguration) -> Void) {
        let error = #expect(throws: ObscuraError.self) { try picker(change) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func `The usual settings, and ratios as texts`() throws {
        _ = try MediaPicker()
        #expect(try AspectRatio("4:3") == AspectRatio(width: 4, height: 3))
        for text in ["", "4", "4:", ":3", "4:3:2", "0:1", "-4:3", "4/3", "20000:1", "1.5:1"] {
            #expect(AspectRatio(text) == nil, "\(text)")
        }
        #expect(throws: ObscuraError.self) { try AspectRatio(width: 0, height: 1) }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(AspectRatio.self, from: Data(#"{"width":0,"height":1}"#.utf8))
        }
        #expect(MediaPicker.isAvailable(.disk) && MediaPicker.isAvailable(.network))
        #expect(MediaPicker.availableMediaTypes(for: .disk) == [.photo, .movie])
    }
}
