// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The tracked faces of a stream.
struct FaceTracks: Sendable {
    private(set) var tracks: [FaceTrack] = []
    private var nextID = 1

    /// Maximum number of tracked faces.
    private static let limit = 64

    /// Assigns each face the id of the track that it continues, or a new id.
    mutating func follow(_ faces: [Face]) -> [Face] {
        var faces = faces
        // The most similar pairs are matched first.
        var pairs: [(track: Int, face: Int, similarity: Double)] = []
        for track in tracks.indices {
            for face in faces.indices {
                let similarity = tracks[track].similarity(faces[face].bounds)
                if similarity > 0 { pairs.append((track, face, similarity)) }
            }
        }
        var seen: Set<Int> = []
        for pair in pairs.sorted(by: { $0.similarity > $1.similarity })
        where faces[pair.face].id == nil && !seen.contains(pair.track) {
            faces[pair.face].id = tracks[pair.track].id
            tracks[pair.track].update(to: faces[pair.face].bounds)
            seen.insert(pair.track)
        }
        for track in tracks.indices where !seen.contains(track) { tracks[track].missed += 1 }
        tracks.removeAll { $0.missed > FaceTrack.missLimit }
        for face in faces.indices where faces[face].id == nil {
            faces[face].id = nextID
            if tracks.count < Self.limit { tracks.append(FaceTrack(id: nextID, bounds: faces[face].bounds)) }
            nextID += 1
        }
        return faces
    }

    /// Ends all tracks; ids are not reused.
    mutating func reset() {
        tracks = []
    }
}
