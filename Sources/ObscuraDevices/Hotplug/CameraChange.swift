// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What changed between two looks at the machine.
enum CameraChange: Sendable, Hashable {
    case connected(FoundCamera)
    case disconnected(FoundCamera)

    /// The changes in the order in which they are told: first what went, then what came. A camera that has
    /// another node than before was away meanwhile. One with other rights is told as connected once more.
    static func changes(from old: [FoundCamera], to new: [FoundCamera]) -> [CameraChange] {
        let isSame = { (a: FoundCamera, b: FoundCamera) in a.uniqueID == b.uniqueID && a.path == b.path }
        let gone = old.filter { camera in !new.contains { isSame($0, camera) } }
        let come = new.filter { camera in
            !old.contains { isSame($0, camera) && $0.authorization == camera.authorization }
        }
        return gone.map(CameraChange.disconnected) + come.map(CameraChange.connected)
    }
}
