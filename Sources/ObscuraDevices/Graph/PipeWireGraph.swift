// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The objects of a daemon, read with a connection of its own for each request.
struct PipeWireGraph: Sendable {
    private let remote: PipeWireRemote

    /// Limit for a daemon that does not respond.
    private static let time = Duration.seconds(1)

    init(_ remote: PipeWireRemote) {
        self.remote = remote
    }

    /// Returns all objects; throws if there is no daemon or no library.
    func objects() throws(ObscuraError) -> PipeWireObjects {
        try PipeWireClient(remote).objects(until: .now + Self.time, unless: nil)
    }

    /// Returns the camera's node with a name; nil while there is none.
    func node(named name: String) -> PipeWireObject? {
        guard remote.isAvailable() else { return nil }
        return try? objects().nodes.first { $0.name == name }
    }
}
