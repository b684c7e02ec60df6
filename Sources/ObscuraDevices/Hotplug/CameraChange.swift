// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What changed between two looks at the machine.
enum CameraChange: Sendable, Hashable {
    case connected(FoundCamera)
    case disconnected(FoundCamera)

    /// The changes in the order in which they are told: first what went, then what came. A camera that has
    /// another node than before was away meanwhile. One with other rights is told as connected once more. One
    /// that only has another unique id, since its twin came or went, is told as nothing.
    static func changes(from old: [FoundCamera], to new: [FoundCamera]) -> [CameraChange] {
        let gone = old.filter { camera in !new.contains { isSame($0, camera) } }
        let come = new.filter { camera in
            !old.contains { isSame($0, camera) && $0.authorization == camera.authorization }
        }
        return gone.map(CameraChange.disconnected) + come.map(CameraChange.connected)
    }

    /// The camera with the unique id by which it was told, so that it goes by the id with which it came.
    static func camera(_ camera: FoundCamera, asToldIn old: [FoundCamera]) -> FoundCamera {
        guard let told = old.first(where: { isSame($0, camera) }) else { return camera }
        var camera = camera
        camera.uniqueID = told.uniqueID
        return camera
    }

    private static func isSame(_ a: FoundCamera, _ b: FoundCamera) -> Bool {
        a.isSameDevice(as: b) && a.path == b.path
    }
}
