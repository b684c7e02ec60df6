// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraVision

@Suite struct VisionErrorTests {
    private func failure(_ engine: FaceDetector.Engine, search: FaceDetector.Search = .fast) -> ObscuraError? {
        var settings = FaceDetector.Settings()
        settings.search = search
        do throws(ObscuraError) {
            _ = try FaceDetector(engine, settings: settings)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ text: String) throws -> String {
        try TestMovies.file("\(UUID().uuidString).xml", Data(text.utf8))
    }

    @Test("A cascade that is missing, no file or empty is named", arguments: FaceDetector.Search.allCases)
    func files(search: FaceDetector.Search) throws {
        let missing = try #require(failure(.cascade(file: "/nowhere/face.xml"), search: search))
        #expect(missing.code == .unreadable && missing.description.contains("/nowhere/face.xml"))
        #expect(missing.description.contains("no such file"))
        #expect(missing.advice?.contains("opencv-data") == true)
        #expect(failure(.cascade(file: "/tmp"), search: search)?.code == .unreadable)
        let pipe = TestMovies.folder.appending(path: UUID().uuidString).path
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(failure(.cascade(file: pipe), search: search)?.code == .unreadable)
        #expect(failure(.cascade(file: try file("")), search: search)?.code == .empty)
    }

    @Test func `without the library of OpenCV, the error names it and what to do`() throws {
        let folder = try TemporaryFolder()
        #expect {
            try OpenCV.load("ObscuraNoSuch", in: folder.path).get()
        } throws: { error in
            guard let error = error as? ObscuraError else { return false }
            return error.code == .libraryMissing && error.reason.contains("libObscuraNoSuch.so")
                && error.remedy == .addLibrary("ObscuraNoSuch")
        }
        // As without OpenCV's packages.
        try SharedLibrary.make("ObscuraOpenCV", lacking: "opencv_other", in: folder)
        #expect {
            try OpenCV.load(in: folder.path).get()
        } throws: { error in
            guard let error = error as? ObscuraError, case .installPackages(let names) = error.remedy else {
                return false
            }
            return error.reason.contains("libopencv_other.so") && names.contains("libopencv-dnn-dev")
        }
    }

    @Test("Where Debian's cascade is not installed, the package is named")
    func noCascade() {
        #expect {
            try FaceFile.cascade(FaceFile.frontalFace, in: ["/nowhere"])
        } throws: { error in
            let error = error as? ObscuraError
            return error?.remedy == .installPackages(["opencv-data"]) && error?.subject == FaceFile.frontalFace
        }
    }

    @Test("What is no cascade is refused", arguments: FaceDetector.Search.allCases)
    func notCascades(search: FaceDetector.Search) throws {
        let jpeg = try TestMovies.path("picture.jpg", TestMovies.source() + ["-frames:v", "1"])
        let xml = "<?xml version=\"1.0\"?>\n"
        let texts = [
            "no XML at all", xml, xml + "<html><body>words</body></html>", xml + "<opencv_storage></opencv_storage>",
            xml + "<opencv_storage><cascade type_id=\"opencv-cascade-classifier\"></cascade></opencv_storage>",
            xml + "<opencv_storage><a>1</a></opencv_storage>", "%YAML:1.0\n---\na: 1\n", "{\"a\": 1}",
        ]
        for path in try [jpeg] + texts.map(file) {
            let error = failure(.cascade(file: path), search: search)
            #expect(error?.code == .notACascade, "\(SmallFile.text(path)?.prefix(80) ?? "")")
            #expect(error?.description.hasPrefix(path) == true)
        }
    }

    @Test("A cascade that was cut off or lies is an error, or is searched with; it ends nobody")
    func damagedCascades() throws {
        let whole = try #require(SmallFile.text(try FaceFile.cascade(FaceFile.frontalFace)))
        let picture = try PixelBuffer(format: .gray8, width: 64, height: 64)
        for part in 1...8 {
            let path = try file(String(whole.prefix(whole.count * part / 9)))
            #expect(failure(.cascade(file: path))?.code == .notACascade)
        }
        // A rectangle outside of the window, and a feature that there is not.
        for (from, to) in [("3 7 14 4 -1.", "3 7 1400 4 -1."), ("0 -1 0 4.0141958743333817e-03", "0 -1 99999 4.0e-03")]
        {
            try #require(whole.contains(from))
            let path = try file(whole.replacing(from, with: to, maxReplacements: 1))
            #expect(try StumpCascade(path: path) == nil)
            #expect(failure(.cascade(file: path))?.code == .notACascade)
        }
        #expect(try FaceDetector().faces(in: picture).isEmpty)
    }

    @Test("A model that is missing, empty or not ONNX is refused")
    func models() throws {
        #expect(failure(.yunet(model: "/nowhere/yunet.onnx"))?.code == .unreadable)
        #expect(failure(.yunet(model: try TestMovies.file("empty.onnx", Data())))?.code == .empty)
        for (name, text) in [("words.onnx", "this is no model"), ("words.txt", "this is no model")] {
            let error = try #require(failure(.yunet(model: try TestMovies.file(name, Data(text.utf8)))))
            #expect(error.code == .notAModel || error.code == .unsupported)
            #expect(error.description.contains("onnx") || error.code == .unsupported)
        }
        let jpeg = try TestMovies.path("picture.jpg", TestMovies.source() + ["-frames:v", "1"])
        #expect(failure(.yunet(model: jpeg)) != nil)
    }

    @Test("A compressed picture, and so one without bytes, is refused")
    func compressed() throws {
        let storage = PixelStorage(planes: []) {}
        let picture = PixelBuffer(storage: storage, format: .mjpeg, width: 320, height: 240)
        for search in FaceDetector.Search.allCases {
            var settings = FaceDetector.Settings()
            settings.search = search
            let detector = try FaceDetector(settings: settings)
            #expect {
                try detector.faces(in: picture)
            } throws: { ($0 as? ObscuraError)?.code == .unsupportedPicture }
            #expect {
                try FaceTracker(detector: detector).update(with: picture)
            } throws: { ($0 as? ObscuraError)?.code == .unsupportedPicture }
        }
    }

    @Test(
        "Pictures of any size are searched, also such as are smaller than a face",
        arguments: FaceDetector.Search.allCases)
    func sizes(search: FaceDetector.Search) throws {
        var settings = FaceDetector.Settings()
        settings.search = search
        let detector = try FaceDetector(settings: settings)
        var dice = Dice(seed: 5)
        for (width, height) in [
            (1, 1), (1, 40), (40, 1), (19, 19), (20, 20), (21, 20), (29, 31), (30, 30), (33, 47), (65, 21),
        ] {
            var picture = try PixelBuffer(format: .gray8, width: width, height: height)
            let length = picture.bytesPerRow(ofPlane: 0)
            try picture.withMutableBytes(ofPlane: 0) { bytes in
                for row in 0..<height {
                    for column in 0..<width {
                        bytes.storeBytes(
                            of: UInt8.random(in: 0...255, using: &dice), toByteOffset: row * length + column,
                            as: UInt8.self)
                    }
                }
            }
            let tracker = FaceTracker(detector: detector)
            for _ in 0..<3 { #expect(try tracker.update(with: picture).isEmpty) }
            #expect(try detector.faces(in: picture).isEmpty)
        }
    }

    @Test("Settings that make no sense are refused")
    func settings() {
        func code(_ change: (inout FaceDetector.Settings) -> Void) -> ObscuraError.Code? {
            var settings = FaceDetector.Settings()
            change(&settings)
            do throws(ObscuraError) {
                _ = try FaceDetector(settings: settings)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { $0.scaleStep = 1 } == .invalidSettings)
        #expect(code { $0.scaleStep = .nan } == .invalidSettings)
        #expect(code { $0.neighbours = -1 } == .invalidSettings)
        #expect(code { $0.smallestFace = PixelSize(width: 0, height: 30) } == .invalidSettings)
        #expect(code { $0.largestFace = PixelSize(width: 30, height: -1) } == .invalidSettings)
        #expect(code { $0.largestFace = PixelSize(width: 20, height: 20) } == nil)
    }
}
