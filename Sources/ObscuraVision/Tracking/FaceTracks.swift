// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// The faces of a stream, from frame to frame.
struct FaceTracks: Sendable {
    private(set) var tracks: [FaceTrack] = []
    private var nextID = 1

    /// More faces than this are found, but not followed.
    private static let most = 64

    /// Gives each face the number of the track that it continues, or a new one.
    mutating func follow(_ faces: [Face]) -> [Face] {
        var faces = faces
        // The best pairs first.
        var pairs: [(track: Int, face: Int, likeness: Double)] = []
        for track in tracks.indices {
            for face in faces.indices {
                let likeness = tracks[track].likeness(faces[face].bounds)
                if likeness > 0 { pairs.append((track, face, likeness)) }
            }
        }
        var seen: Set<Int> = []
        for pair in pairs.sorted(by: { $0.likeness > $1.likeness })
        where faces[pair.face].id == nil && !seen.contains(pair.track) {
            faces[pair.face].id = tracks[pair.track].id
            tracks[pair.track].isSeen(at: faces[pair.face].bounds)
            seen.insert(pair.track)
        }
        for track in tracks.indices where !seen.contains(track) { tracks[track].missed += 1 }
        tracks.removeAll { $0.missed > FaceTrack.patience }
        for face in faces.indices where faces[face].id == nil {
            faces[face].id = nextID
            if tracks.count < Self.most { tracks.append(FaceTrack(id: nextID, bounds: faces[face].bounds)) }
            nextID += 1
        }
        return faces
    }

    /// Forgets where faces were; numbers are not given twice.
    mutating func forget() {
        tracks = []
    }
}

#endif
