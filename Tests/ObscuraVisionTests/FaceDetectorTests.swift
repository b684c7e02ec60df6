// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraVision

@Suite(.needsFaces, .needsPythonOpenCV) struct FaceDetectorTests {
    private func boxes(_ frame: GrayFrame, _ settings: FaceDetector.Settings) throws -> [PixelRect] {
        try FaceDetector(settings: settings).faces(in: frame.buffer()).map(\.bounds).inReadingOrder
    }

    // One test for both searches: OpenCV's own takes most of the time.
    @Test("Both searches find the very boxes of OpenCV's Python API") func sameBoxes() throws {
        var frames = try FaceMedia.gray("carphone.mp4", "select='not(mod(n,40))',scale=352:288", frames: 3)
        for name in FaceMedia.withFaces + FaceMedia.without.prefix(isLongForm ? 5 : 2) {
            frames += try FaceMedia.gray(name, isLongForm ? "scale=1280:-1" : "scale=200:-1")
        }
        // Odd sizes, and a face that is much smaller and one that is much larger than the others.
        frames += try FaceMedia.gray("astronaut.png", "scale=213:197")
        frames += try FaceMedia.gray("astronaut.png", "crop=201:203:140:31,scale=293:297")
        let classic = try ClassicOpenCV.faces(in: frames)
        #expect(classic.joined().count >= 5)
        for search in FaceDetector.Search.allCases {
            var settings = FaceDetector.Settings()
            settings.search = search
            let detector = try FaceDetector(settings: settings)
            let found = try frames.map { try detector.faces(in: $0.buffer()).map(\.bounds).inReadingOrder }
            #expect(found == classic, "\(search)")
        }
    }

    @Test("Both searches find the same with other settings") func otherSettings() throws {
        let frames = try FaceMedia.gray("astronaut.png", "scale=200:200")
        for (step, neighbours, smallest, largest) in [
            (1.05, 3, 20, nil), (1.2, 1, 24, 90), (1.1, 2, 150, nil), (1.3, 2, 41, 41), (1.1, 0, 40, 80),
        ] as [(Double, Int, Int, Int?)] {
            var settings = FaceDetector.Settings()
            settings.scaleStep = step
            settings.neighbours = neighbours
            settings.smallestFace = PixelSize(width: smallest, height: smallest)
            settings.largestFace = largest.map { PixelSize(width: $0, height: $0) }
            let classic = try ClassicOpenCV.faces(in: frames, settings: settings)
            for search in FaceDetector.Search.allCases {
                settings.search = search
                #expect(try [boxes(frames[0], settings)] == classic, "\(settings)")
            }
        }
    }

    @Test("Our search finds the same with each kind of instructions, and with other cascades of stumps")
    func variants() throws {
        let frames = try FaceMedia.gray("astronaut.png", "scale=200:200")
        let picture = try GrayPicture(frames[0].buffer())
        let settings = FaceDetector.Settings()
        for name in ["haarcascade_frontalface_alt.xml", "haarcascade_frontalface_default.xml", "haarcascade_eye.xml"] {
            let path = try FaceFile.cascade(name)
            let classic = try ClassicOpenCV.faces(in: frames, cascade: path)
            for variant in StumpCascade.Variant.allCases {
                let cascade = try #require(try StumpCascade(path: path, variant: variant))
                let found = try PyramidScanner(cascade).find(in: picture, settings.cascade).map(\.bounds)
                #expect(found.inReadingOrder == classic[0], "\(name) \(variant)")
            }
        }
    }

    @Test("Cascades that our search does not know are searched with by OpenCV")
    func trees() throws {
        let frames = try FaceMedia.gray("astronaut.png", "scale=200:200")
        let path = try FaceFile.cascade("haarcascade_frontalface_alt2.xml")
        let detector = try FaceDetector(.cascade(file: path))
        #expect(detector.scanner == nil)
        let found = try detector.faces(in: frames[0].buffer()).map(\.bounds)
        #expect(try [found.inReadingOrder] == ClassicOpenCV.faces(in: frames, cascade: path))
        #expect(!found.isEmpty)
    }

    @Test("The same face is found in each format", arguments: PixelFormat.allCases.filter { !$0.isCompressed })
    func formats(format: PixelFormat) throws {
        let gray = try FaceMedia.gray("astronaut.png", "crop=200:200:130:20,scale=120:120")[0].buffer()
        let detector = try FaceDetector()
        let expected = try #require(try detector.faces(in: gray).first)
        var picture = try ImageTransformer.transform(gray, ImageRequest(pixelFormat: .bgra))
        if [.bgra, .rgba, .bgr24, .rgb24, .nv12, .i420, .i422, .i444, .gray8].contains(format) {
            picture = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: format))
        } else {
            picture = try Self.withLuma(of: gray, format)
        }
        let face = try #require(try detector.faces(in: picture).first)
        #expect(face.bounds.overlap(expected.bounds) > 0.8)
        #expect(face.confidence > 0.3 && face.confidence < 1)
        #expect(face.id == nil)
    }

    @Test("Eyes and mouth lie where they belong")
    func features() throws {
        let bytes = [UInt8](try Tool.run("cat", [try FaceMedia.path("astronaut.png")]))
        let picture = try PNGDecoder.decode(bytes)
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        let faces = try FaceDetector(settings: settings).faces(in: picture)
        let face = try #require(faces.max { $0.confidence < $1.confidence })
        let left = try #require(face.leftEye)
        let right = try #require(face.rightEye)
        let mouth = try #require(face.mouth)
        // Where they are in the picture, to a few pixels.
        #expect(abs(left.x + left.width / 2 - 207) < 12 && abs(left.y + left.height / 2 - 109) < 12, "\(left)")
        #expect(abs(right.x + right.width / 2 - 244) < 12 && abs(right.y + right.height / 2 - 109) < 12, "\(right)")
        #expect(mouth.y > left.y + left.height / 2 && mouth.y + mouth.height / 2 > 130, "\(mouth)")
    }

    @Test("A detector that shares the cascade of another one has its own minimum size")
    func sharing() throws {
        let picture = try FaceMedia.gray("astronaut.png", "scale=200:200")[0].buffer()
        var settings = FaceDetector.Settings()
        settings.findsFeatures = true
        let first = try FaceDetector(settings: settings)
        for side in [1, 30, 39, 80] {
            settings.smallestFace = PixelSize(width: side, height: side)
            let other = try FaceDetector(first, smallestFace: settings.smallestFace)
            #expect(other.settings == settings && other.engine == first.engine)
            #expect(try other.faces(in: picture) == FaceDetector(settings: settings).faces(in: picture))
        }
        #expect {
            _ = try FaceDetector(first, smallestFace: PixelSize(width: 0, height: 1))
        } throws: { ($0 as? ObscuraError)?.code == .invalidSettings }
    }

    /// A picture of a format that nothing is converted to.
    private static func withLuma(of gray: PixelBuffer, _ format: PixelFormat) throws -> PixelBuffer {
        let bytes = gray.packedBytes()
        var picture = try PixelBuffer(format: format, width: gray.width, height: gray.height)
        let length = picture.bytesPerRow(ofPlane: 0)
        let isRGB = !format.isYUV
        let isPacked = [.yuyv, .uyvy, .yvyu, .vyuy].contains(format)
        let isLumaFirst = [.yuyv, .yvyu].contains(format)
        try picture.withMutableBytes(ofPlane: 0) { target in
            for row in 0..<gray.height {
                for column in 0..<gray.width {
                    let luma = bytes[row * gray.width + column]
                    if format.bitDepth > 8 {
                        target.storeBytes(
                            of: UInt16(luma) << 2, toByteOffset: row * length + 2 * column, as: UInt16.self)
                    } else if isRGB {
                        target.storeBytes(
                            of: UInt32(luma) * 0x0101_0101, toByteOffset: row * length + 4 * column, as: UInt32.self)
                    } else if isPacked {
                        target.storeBytes(
                            of: luma, toByteOffset: row * length + 2 * column + (isLumaFirst ? 0 : 1), as: UInt8.self)
                    } else {
                        target.storeBytes(of: luma, toByteOffset: row * length + column, as: UInt8.self)
                    }
                }
            }
        }
        return picture
    }
}
