// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraVision

/// Faces in a session: found beside the pictures, and drawn on them.
@Suite(.needsFaces, .hangLimit) struct FaceOutputTests {
    private func astronaut() throws -> PixelBuffer {
        try FaceMedia.gray("astronaut.png", "scale=400:400")[0].buffer()
    }

    /// A camera that sees an astronaut, or the picture that is given, for a minute.
    private func camera(_ picture: PixelBuffer, rate: Int32 = 30, seconds: Int = 60) -> ReplayDriver {
        let format = VideoFormat(
            pixelFormat: picture.format, width: picture.width, height: picture.height, frameRate: FrameRate(rate))
        return ReplayDriver(
            formats: [format],
            script: ReplayEvent.frames(Int(rate) * seconds, of: picture, at: FrameRate(rate)))
    }

    private func session(_ driver: ReplayDriver, _ outputs: [CaptureOutput]) async throws -> CaptureSession {
        let session = CaptureSession()
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            for output in outputs { try configuration.addOutput(output) }
        }
        return session
    }

    /// The rectangle around all pixels that differ.
    private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> PixelRect? {
        let (a, b) = (one.packedBytes(), other.packedBytes())
        let width = one.width
        let changed = (0..<(width * one.height)).filter { a[(4 * $0)..<(4 * $0 + 3)] != b[(4 * $0)..<(4 * $0 + 3)] }
        guard let left = changed.map({ $0 % width }).min(), let right = changed.map({ $0 % width }).max(),
            let top = changed.first, let bottom = changed.last
        else { return nil }
        return PixelRect(
            x: left, y: top / width, width: right - left + 1, height: bottom / width - top / width + 1)
    }

    @Test func `faces come with the time of their frame, and are gone when the session has stopped`() async throws {
        let faces = try FaceOutput(settings: .oneFace)
        let session = try await session(camera(try astronaut()), [faces])
        let stream = faces.detections
        try await session.start()
        var found: [FaceOutput.Detection] = []
        for await detection in stream {
            found.append(detection)
            if found.count == 5 { break }
        }
        let expected = try FaceDetector(settings: .oneFace).faces(in: try astronaut())
        for detection in found {
            #expect(detection.faces.map(\.bounds) == expected.map(\.bounds))
            #expect(detection.size == PixelSize(width: 400, height: 400))
            #expect(detection.duration > .zero)
        }
        #expect(zip(found.dropFirst(), found).allSatisfy { $0.sequence > $1.sequence })
        #expect(zip(found.dropFirst(), found).allSatisfy { $0.presentationTime > $1.presentationTime })
        #expect(Set(found.flatMap(\.faces).map(\.id)).count == 1)
        #expect(faces.latest != nil)
        await session.stop()
        #expect(faces.latest == nil)
        for reader in session.ledger.readers { #expect(reader.frames.isBalanced) }
    }

    @Test(arguments: [PixelFormat.bgrx, .xbgr])
    func `faces are found in the frames of a camera with an undefined byte in each pixel`(
        format: PixelFormat
    ) async throws {
        let gray = try astronaut()
        let bytes = gray.packedBytes()
        var picture = try PixelBuffer(format: format, width: gray.width, height: gray.height)
        let stride = picture.bytesPerRow(ofPlane: 0)
        // The undefined byte is 0.
        let pattern: UInt32 = format == .bgrx ? 0x0001_0101 : 0x0101_0100
        try picture.withMutableBytes(ofPlane: 0) { target in
            for (index, luma) in bytes.enumerated() {
                let offset = index / gray.width * stride + 4 * (index % gray.width)
                target.storeBytes(of: UInt32(luma) * pattern, toByteOffset: offset, as: UInt32.self)
            }
        }
        let faces = try FaceOutput(settings: .oneFace)
        let session = try await session(camera(picture), [faces])
        let stream = faces.detections
        try await session.start()
        var found: FaceOutput.Detection?
        for await detection in stream {
            found = detection
            break
        }
        await session.stop()
        let expected = try #require(try FaceDetector(settings: .oneFace).faces(in: gray).first)
        let face = try #require(found?.faces.first)
        #expect(face.bounds.overlap(expected.bounds) > 0.8)
    }

    @Test func `pictures do not wait for faces`() async throws {
        // Large enough that a search takes longer than the time between two frames.
        let large = try FaceMedia.gray("astronaut.png", "scale=1600:1600")[0].buffer()
        let faces = try FaceOutput(settings: .everything)
        // Half a second, in which a busy machine may not run this test at all.
        let pictures = VideoDataOutput(latePolicy: .bounded(30))
        let count = 90
        let session = try await session(camera(large, rate: 60, seconds: 2), [faces, pictures])
        var frames = pictures.frames.makeAsyncIterator()
        try await session.start()
        var numbers: [UInt64] = []
        while numbers.count < count, let frame = try await frames.next() { numbers.append(frame.sequence) }
        await session.stop()
        #expect(numbers == Array(0..<UInt64(count)))
        let books = try #require(session.ledger.readers.first { $0.name.hasPrefix("faces") }).frames
        #expect(books.offered >= UInt64(count) && books.dropped[.late] > UInt64(count) / 2, "\(books)")
        #expect(books.isBalanced)
    }

    @Test(arguments: [
        (Orientation.up, false, Orientation.up, false), (.up, true, .up, false), (.up, false, .right, false),
        (.up, true, .left, true), (.up, false, .down, true),
    ])
    func `what was found is drawn where the face is, however the picture is turned`(
        orientation: Orientation, isMirrored: Bool, other: Orientation, otherIsMirrored: Bool
    ) async throws {
        let picture = try astronaut()
        let faces = try FaceOutput(settings: .oneFace)
        (faces.connection.orientation, faces.connection.isMirrored) = (orientation, isMirrored)
        var mask = FaceMask()
        mask.showsLabels = false
        mask.lineWidth = 1
        let pictures = VideoDataOutput(pixelFormat: .bgra)
        (pictures.connection.orientation, pictures.connection.isMirrored) = (other, otherIsMirrored)
        pictures.connection.effects = [mask.effect(of: faces)]
        let session = try await session(camera(picture), [faces, pictures])
        var frames = pictures.frames.makeAsyncIterator()
        try await session.start()
        var request = ImageRequest(pixelFormat: .bgra)
        (request.orientation, request.isMirrored) = (other, otherIsMirrored)
        let plain = try ImageTransformer.transform(picture, request)
        var drawn: PixelRect?
        while drawn == nil, let frame = try await frames.next() { drawn = difference(frame.buffer, plain) }
        await session.stop()
        // The face of the picture, turned by the definition: a point (x, y) goes to (height - y, x) clockwise.
        var face = try #require(try FaceDetector(settings: .oneFace).faces(in: picture).first).bounds
        for _ in 0..<(other.degrees / 90) {
            face = PixelRect(x: 400 - face.y - face.height, y: face.x, width: face.height, height: face.width)
        }
        if otherIsMirrored { face.x = 400 - face.x - face.width }
        let box = try #require(drawn)
        #expect(box.overlap(face) > 0.6, "\(box) \(face)")
    }

    @Test func `a mosaic hides the face and nothing else`() async throws {
        let picture = try astronaut()
        let faces = try FaceOutput(settings: .oneFace)
        let pictures = VideoDataOutput(pixelFormat: .bgra)
        pictures.connection.effects = [.mosaic(of: faces, side: 10)]
        let session = try await session(camera(picture), [faces, pictures])
        var frames = pictures.frames.makeAsyncIterator()
        try await session.start()
        let plain = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .bgra))
        var changed: PixelRect?
        while changed == nil, let frame = try await frames.next() { changed = difference(frame.buffer, plain) }
        await session.stop()
        let face = try #require(try FaceDetector(settings: .oneFace).faces(in: picture).first).bounds
        let box = try #require(changed)
        #expect(box.x <= face.x && box.y <= face.y)
        #expect(box.x + box.width >= face.x + face.width && box.y + box.height >= face.y + face.height)
        #expect(box.overlap(face) > 0.4)
    }

    @Test func `faces stay marked for as long as the next search takes`() {
        let geometry = PictureGeometry(ImageRequest(), of: PixelSize(width: 4, height: 4))
        func validity(_ duration: Duration) -> Duration {
            FaceOutput.validity(
                FaceOutput.Detection(
                    faces: [], presentationTime: .zero, hostTime: .now, sequence: 0,
                    size: PixelSize(width: 4, height: 4), duration: duration, searched: geometry, upright: geometry))
        }
        #expect(validity(.milliseconds(10)) == .milliseconds(500))
        #expect(validity(.seconds(1)) == .seconds(3))
    }

    @Test func `settings that no picture can meet are refused`() {
        for side in [0, -1, 32769, 5_000_000_000] {
            var settings = FaceDetector.Settings()
            settings.smallestFace = PixelSize(width: side, height: 30)
            #expect(throws: ObscuraError.self) { try FaceDetector(settings: settings) }
        }
    }

    @Test func `a layer is transparent but for the lines, and faces outside of it are harmless`() throws {
        let face = Face(
            bounds: PixelRect(x: 20, y: 30, width: 40, height: 50),
            leftEye: PixelRect(x: 25, y: 40, width: 8, height: 6),
            confidence: 1, id: 7)
        var mask = FaceMask()
        mask.color = BGRAPixel(red: 255, green: 10, blue: 20)
        mask.lineWidth = 1
        (mask.showsLabels, mask.showsFeatures) = (false, false)
        let size = PixelSize(width: 100, height: 120)
        func pixels(_ mask: FaceMask, _ faces: [Face]) throws -> Int {
            let bytes = try mask.layer(for: faces, size: size).packedBytes()
            var count = 0
            for place in stride(from: 0, to: bytes.count, by: 4) {
                #expect([[0, 0, 0, 0], [20, 10, 255, 255]].contains(Array(bytes[place..<(place + 4)])))
                count += bytes[place + 3] == 255 ? 1 : 0
            }
            return count
        }
        let none = try pixels(mask, [])
        #expect(none == 0)
        let outline = try pixels(mask, [face])
        #expect(outline == 2 * 40 + 2 * 48)
        mask.showsFeatures = true
        let withEye = try pixels(mask, [face])
        #expect(withEye == outline + 2 * 8 + 2 * 4)
        mask.showsLabels = true
        let withLabel = try pixels(mask, [face])
        #expect(withLabel > withEye)
        for bounds in [
            PixelRect(x: -1000, y: -1000, width: 5, height: 5), PixelRect(x: .min, y: .max, width: .max, height: .min),
            PixelRect(x: 99, y: 119, width: 1 << 40, height: 1 << 40),
        ] {
            var far = face
            mask.lineWidth = .max
            far.bounds = bounds
            far.leftEye = bounds
            _ = try mask.layer(for: [far], size: size)
        }
        _ = try mask.layer(for: [face], size: PixelSize(width: 1, height: 1))
    }
}

extension FaceDetector.Settings {
    /// The astronaut's face alone: the classic settings see another one in the space behind her.
    fileprivate static var oneFace: FaceDetector.Settings {
        var settings = FaceDetector.Settings()
        settings.smallestFace = PixelSize(width: 60, height: 60)
        settings.neighbours = 8
        return settings
    }

    /// A search that takes long.
    fileprivate static var everything: FaceDetector.Settings {
        var settings = FaceDetector.Settings()
        settings.search = .classic
        settings.smallestFace = PixelSize(width: 20, height: 20)
        settings.scaleStep = 1.02
        return settings
    }
}
