// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Hummingbird
import NIOCore
import Obscura
import ObscuraBase
import ObscuraLibrary
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct ImageLoaderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "images-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes a photo.
    @discardableResult
    private func write(
        _ name: String, _ width: Int, _ height: Int
    ) throws -> String {
        let still = Still(try PixelBuffer(format: .gray8, width: width, height: height))
        let path = folder.appending(path: name).path
        try Data(still.encoded(as: name.hasSuffix("png") ? .png() : .jpeg(quality: 90))).write(to: URL(filePath: path))
        return path
    }

    @Test func `A file is fitted, upright, and cached until it changes`() async throws {
        let path = try write("large.jpg", 4000, 3000)
        let loader = ImageLoader()
        let small = try await loader.image(.file(path), fitting: PixelSize(width: 400, height: 400))
        #expect(small.size == PixelSize(width: 400, height: 300))
        #expect(try await loader.image(.file(path)).size == PixelSize(width: 4000, height: 3000))
        #expect(try await loader.image(.file(path), fitting: PixelSize(width: 9000, height: 9000)).width == 4000)
        try write("large.jpg", 300, 500)
        let other = try await loader.image(.file(path), fitting: PixelSize(width: 400, height: 400))
        #expect(other.size == PixelSize(width: 240, height: 400))
    }

    /// Memory is that of the whole process, so this one has its own.
    @Test func `A photo of 200 megapixels takes little memory`() async {
        await #expect(processExitsWith: .success) {
            let file = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString).jpg")
            try Data(PictureCostTests.flat(width: 16_320, height: 12_240)).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let peak = MemoryPeak()
            let image = try await ImageLoader().image(.file(file.path), fitting: PixelSize(width: 1000, height: 1000))
            #expect(image.size == PixelSize(width: 1000, height: 750))
            #expect(peak.growthKilobytes < 128 << 10, "\(peak.growthKilobytes >> 10) MiB")
        }
    }

    @Test func `Files that cannot be loaded are errors`() async throws {
        let loader = ImageLoader()
        let text = folder.appending(path: "text.jpg")
        try Data("no photo".utf8).write(to: text)
        let good = try write("good.jpg", 640, 480)
        let cut = folder.appending(path: "cut.jpg")
        try Data(contentsOf: URL(filePath: good)).prefix(200).write(to: cut)
        let cases: [(ImageSource, ObscuraError.Code)] = [
            (.file(folder.appending(path: "missing.jpg").path), .notFound), (.file(text.path), .unreadable),
            (.file(cut.path), .unreadable), (.address("ftp://example.com/a.jpg"), .invalidLocation),
            (.address("http://127.0.0.1:9/a.jpg"), .notAllowed),
        ]
        for (source, code) in cases {
            let error = await #expect(throws: ObscuraError.self) { try await loader.image(source) }
            #expect(error?.code == code, "\(source.subject): \(String(describing: error))")
        }
        let error = await #expect(throws: ObscuraError.self) {
            try await loader.image(.file(good), fitting: PixelSize(width: 0, height: 5))
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `A photo of a library has its edits`() async throws {
        try write("photo.png", 80, 60)
        var options = MediaLibrary.Options()
        options.cacheFolder = folder.appending(path: ".cache").path
        let library = try await MediaLibrary(path: folder.path, options: options)
        let loader = ImageLoader()
        let source = ImageSource.item("photo.png", in: library)
        #expect(try await loader.image(source).size == PixelSize(width: 80, height: 60))
        try await library.setRecipe(StillRecipe([.rotate(.right)]), of: "photo.png")
        #expect(try await loader.image(source).size == PixelSize(width: 60, height: 80))
        #expect(source == .item("photo.png", in: library) && source != .file("photo.png"))
    }

    @Test func `An address is downloaded with progress, and cached`() async throws {
        let bytes = try Data(contentsOf: URL(filePath: write("web.jpg", 1200, 900)))
        let requests = Lock(0)
        try await TestWebServer.run({ router in
            router.get("/web.jpg") { _, _ in
                requests.withLock { $0 += 1 }
                return Response(
                    status: .ok, headers: [.contentLength: "\(bytes.count)"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        }) { address, _ in
            var options = ImageLoader.Options()
            options.networkAccess = .everywhere
            let loader = ImageLoader(options: options)
            let fractions = Lock<[Double]>([])
            for _ in 0..<2 {
                let image = try await loader.image(
                    .address("\(address)/web.jpg"), fitting: PixelSize(width: 120, height: 120),
                    progress: { fraction in fractions.withLock { $0.append(fraction) } })
                #expect(image.size == PixelSize(width: 120, height: 90))
            }
            let told = fractions.withLock { $0 }
            #expect(told.last == 1 && told == told.sorted() && requests.withLock { $0 } == 1)
            loader.removeAll()
            _ = try await loader.image(.address("\(address)/web.jpg"))
            #expect(requests.withLock { $0 } == 2)
            options.maximumDownloadSize = Int64(bytes.count - 1)
            let error = await #expect(throws: ObscuraError.self) {
                try await ImageLoader(options: options).image(.address("\(address)/web.jpg"))
            }
            #expect(error?.code == .tooMuch)
        }
    }

    @Test func `A camera takes a photo each time`() async throws {
        let session = CaptureSession()
        let photos = PhotoOutput()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: .pattern()))
            try $0.addOutput(photos)
        }
        let loader = ImageLoader()
        await #expect(throws: ObscuraError.self) { try await loader.image(.camera(photos)) }
        try await session.start()
        #expect(try await loader.image(.camera(photos)).size == PixelSize(width: 160, height: 96))
        let small = try await loader.image(.camera(photos), fitting: PixelSize(width: 80, height: 80))
        #expect(small.size == PixelSize(width: 80, height: 48))
        await session.stop()
    }
}
