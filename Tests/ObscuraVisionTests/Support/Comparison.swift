// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

@testable import ObscuraVision

/// What a tracker finds on the frames of a film, beside what the classic search finds on each of them.
struct Comparison {
    /// A face of the classic search that the tracker does not find on that frame.
    struct Miss: CustomStringConvertible {
        let frame: Int
        let bounds: PixelRect
        var description: String { "frame \(frame): \(bounds)" }
    }

    /// How much two must share of what they cover.
    static let leastOverlap = 0.6
    /// Within so many frames a missed face must be found again.
    static let patience = 10

    private(set) var found = 0
    private(set) var missed: [Miss] = []
    /// Those that the classic search goes on to see, and the tracker does not find again in time.
    private(set) var lost: [Miss] = []
    /// Those that the classic search does not see.
    private(set) var extra: [Miss] = []

    init(classic: [[PixelRect]], ours: [[PixelRect]]) {
        for (frame, faces) in classic.enumerated() {
            for face in faces {
                if Self.holds(ours[frame], face) {
                    found += 1
                    continue
                }
                missed.append(Miss(frame: frame, bounds: face))
                if !Self.isFoundAgain(face, from: frame, classic, ours) {
                    lost.append(Miss(frame: frame, bounds: face))
                }
            }
            for face in ours[frame] where !Self.holds(faces, face) { extra.append(Miss(frame: frame, bounds: face)) }
        }
    }

    private static func holds(_ faces: [PixelRect], _ face: PixelRect) -> Bool {
        faces.contains { $0.overlap(face) >= leastOverlap }
    }

    /// Whether it is found before it is too late, or before it is gone.
    private static func isFoundAgain(
        _ face: PixelRect, from frame: Int, _ classic: [[PixelRect]], _ ours: [[PixelRect]]
    ) -> Bool {
        var face = face
        for next in classic.indices.dropFirst(frame + 1).prefix(patience) {
            guard let same = classic[next].max(by: { $0.overlap(face) < $1.overlap(face) }), same.overlap(face) > 0.3
            else { return true }
            face = same
            if holds(ours[next], face) { return true }
        }
        return classic.count <= frame + patience
    }
}
