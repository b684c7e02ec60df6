// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraVision

@Suite(.needsFaces, .needsPythonOpenCV) struct FaceTrackerTests {
    /// - Parameter classic: the faces that the classic search finds, where they are known.
    private func compare(
        _ frames: [GrayFrame], classic: [[PixelRect]]? = nil
    ) throws -> (Comparison, ids: [[Int?]]) {
        let tracker = try FaceTracker()
        let ours = try frames.map { try tracker.update(with: $0.buffer()) }
        let comparison = Comparison(
            classic: try classic ?? ClassicOpenCV.faces(in: frames), ours: ours.map { $0.map(\.bounds) })
        return (comparison, ours.map { $0.map(\.id) })
    }

    @Test("A man who talks is found wherever the classic search finds him, and nothing else")
    func carphone() throws {
        let (scale, count) = isLongForm ? ("1280:720", 120) : ("352:288", 120)
        let (comparison, _) = try compare(try FaceMedia.gray("carphone.mp4", "scale=\(scale)", frames: count))
        #expect(comparison.lost.isEmpty, "\(comparison.lost)")
        #expect(comparison.extra.isEmpty, "\(comparison.extra)")
        #expect(comparison.found > 40 && comparison.missed.count * 20 < comparison.found, "\(comparison)")
    }

    @Test(
        "A small face that comes into the picture is found within a round, and keeps its number while it flies",
        arguments: [75, 140])
    func flight(face: Int) throws {
        let size = PixelSize(width: isLongForm ? 1280 : 400, height: isLongForm ? 720 : 300)
        let frames = try FaceMedia.flight(size: size, face: face, step: 5, frames: isLongForm ? 120 : 40)
        let empty = try FaceMedia.gray("coffee.png", "scale=\(size.width):\(size.height)")
        let (comparison, ids) = try compare(empty + frames)
        #expect(comparison.lost.isEmpty, "\(comparison.lost)")
        #expect(comparison.extra.isEmpty, "\(comparison.extra)")
        #expect(comparison.found > frames.count / 2, "\(comparison)")
        let missedFirst = comparison.missed.filter { $0.frame <= FaceTracker.roundLength }
        #expect(comparison.missed.count == missedFirst.count, "\(comparison.missed)")
        #expect(Set(ids.joined()).count == 1, "\(ids)")
        #expect(ids.joined().allSatisfy { $0 != nil })
    }

    @Test("Nothing is found where there is no face, beyond what the classic search finds", arguments: FaceMedia.without)
    func noFaces(name: String) throws {
        let frame = try FaceMedia.gray(name, isLongForm ? "scale=1280:720" : "scale=240:-1")
        let classic = try ClassicOpenCV.faces(in: frame)
        let count = 2 * FaceTracker.roundLength
        let (comparison, _) = try compare(
            Array(repeating: frame[0], count: count), classic: Array(repeating: classic[0], count: count))
        #expect(comparison.extra.isEmpty, "\(comparison.extra)")
    }

    @Test("After a break in the stream the face is found at once, with a new number")
    func discontinuity() throws {
        let picture = try FaceMedia.gray("astronaut.png", "scale=300:300")[0].buffer()
        let tracker = try FaceTracker()
        var frame = VideoFrame(buffer: picture, presentationTime: .zero, hostTime: .now)
        let first = try #require(try tracker.update(with: frame).first?.id)
        #expect(try tracker.update(with: frame).first?.id == first)
        frame.attachments.isDiscontinuity = true
        let second = try #require(try tracker.update(with: frame).first?.id)
        #expect(second != first)
        frame.attachments.isDiscontinuity = false
        tracker.reset()
        let third = try tracker.update(with: frame).first?.id
        #expect(third != nil && third != first && third != second)
        // Another size is another stream.
        let other = try FaceMedia.gray("astronaut.png", "scale=250:250")[0].buffer()
        #expect(try tracker.update(with: other).map(\.bounds) == FaceDetector().faces(in: other).map(\.bounds))
    }

    @Test("No picture is held once it was searched")
    func nothingIsHeld() throws {
        let tracker = try FaceTracker()
        let before = PixelBuffer.liveCount
        try autoreleased {
            let picture = try FaceMedia.gray("astronaut.png", "scale=300:300")[0].buffer()
            for _ in 0..<5 { _ = try tracker.update(with: picture) }
        }
        #expect(PixelBuffer.liveCount == before)
    }

    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }
}
