// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import Synchronization

/// Detects faces in each frame, reports them, and passes the frame on with the faces marked. Called for one
/// frame after the other, on a thread of the export.
final class DetectingWriter: FrameWriter {
    private let tracker: FaceTracker
    private let target: (any FrameWriter)?
    private let hidesFaces: Bool
    /// Reports faces; returns false if the reports have no reader.
    private let onFaces: @Sendable (VideoFrame, [Face]) -> Bool
    private let frames = Atomic(0)
    private let framesWithFaces = Atomic(0)

    init(
        _ tracker: FaceTracker, to target: (any FrameWriter)?, hidesFaces: Bool,
        onFaces: @escaping @Sendable (VideoFrame, [Face]) -> Bool
    ) {
        self.tracker = tracker
        self.target = target
        self.hidesFaces = hidesFaces
        self.onFaces = onFaces
    }

    /// The number of frames with faces.
    var found: Int { framesWithFaces.load(ordering: .relaxed) }

    var capacity: Int { target?.capacity ?? 1 }

    var counts: WrittenFrames {
        var counts = target?.counts ?? WrittenFrames()
        counts.frames = frames.load(ordering: .relaxed)
        return counts
    }

    func append(_ frame: VideoFrame, until deadline: HostTime?) throws(ObscuraError) -> Bool {
        do {
            let faces = try tracker.update(with: frame)
            if !faces.isEmpty {
                framesWithFaces.add(1, ordering: .relaxed)
                // If the reports are the only output and have no reader, the run can end.
                guard onFaces(frame, faces) || target != nil else {
                    throw ObscuraError(
                        .files, .closedPipe, subject: "standard output",
                        reason: "the program that reads it has closed the pipe")
                }
            }
            if let target, try !target.append(marked(frame, faces), until: deadline) { return false }
        } catch {
            throw ObscuraError(wrapping: error, as: .files, .encodingFailed, subject: "faces")
        }
        frames.add(1, ordering: .relaxed)
        return true
    }

    func close() { target?.close() }

    func finish(until deadline: HostTime?) throws(ObscuraError) { try target?.finish(until: deadline) }

    private func marked(_ frame: VideoFrame, _ faces: [Face]) throws -> VideoFrame {
        if faces.isEmpty { return frame }
        var frame = frame
        if hidesFaces {
            var request = ImageRequest()
            request.effects = [.mosaic(side: 16) { _ in faces.map(\.bounds) }]
            frame.buffer = try frame.image(request)
        } else {
            var picture = frame.buffer
            try FaceMask().draw(faces, on: &picture)
            frame.buffer = picture
        }
        return frame
    }
}
