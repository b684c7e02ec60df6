// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraVision

@Suite struct FaceNetworkTests {
    /// Later ones want other outputs of a network, and earlier ones want none.
    private static var readsModel: Bool {
        let version = try? OpenCV.version()
        return ["4.5.4", "4.5.5", "4.6.", "4.7."].contains { version?.hasPrefix($0) == true }
    }

    @Test(
        "What a network says of a face arrives: its place, eyes, mouth and confidence",
        .enabled("this OpenCV reads another YuNet than the test's") { readsModel })
    func numbers() throws {
        let model = try TestMovies.file("one-face.onnx", OneFaceModel.onnx)
        var settings = FaceDetector.Settings()
        settings.smallestFace = PixelSize(width: 10, height: 10)
        let detector = try FaceDetector(.yunet(model: model), settings: settings)
        for format in [PixelFormat.bgra, .nv12, .gray8] {
            let picture = try PixelBuffer(format: format, width: 64, height: 64)
            let faces = try detector.faces(in: picture)
            let face = try #require(faces.first)
            #expect(faces.count == 1)
            let (x, y, side) = OneFaceModel.bounds
            #expect(face.bounds == PixelRect(x: x, y: y, width: side, height: side))
            #expect(face.confidence > 0.98 && face.confidence <= 1)
            for (found, middle) in [
                (face.leftEye, OneFaceModel.leftEye), (face.rightEye, OneFaceModel.rightEye),
                (face.mouth, OneFaceModel.mouth),
            ] {
                let rect = try #require(found)
                #expect(abs(rect.x + rect.width / 2 - middle.x) <= 1 && abs(rect.y + rect.height / 2 - middle.y) <= 1)
            }
        }
        // It stays the same face, and one that is smaller than asked for is left out.
        let picture = try PixelBuffer(format: .bgra, width: 64, height: 64)
        let tracker = FaceTracker(detector: detector)
        #expect(try (0..<3).map { _ in try tracker.update(with: picture).map(\.id) } == [[1], [1], [1]])
        settings.smallestFace = PixelSize(width: 30, height: 30)
        #expect(try FaceDetector(.yunet(model: model), settings: settings).faces(in: picture).isEmpty)
        // The network was made for another size: an error of OpenCV's, or a search; it ends nobody.
        let other = try PixelBuffer(format: .bgra, width: 33, height: 1)
        _ = try? detector.faces(in: other)
        #expect(try detector.faces(in: picture).count == 1)
    }
}
