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
        guard remote.isAvailable() else { throw .noDaemon }
        return try PipeWireClient(remote).objects(until: .now + Self.time, unless: nil)
    }

    /// Returns the node with a name; nil while there is none.
    func node(named name: String) -> PipeWireObject? {
        try? objects().nodes.first { $0.name == name }
    }

    /// Returns the path of a node as ``FoundDevice/path`` has it; nil while there is none.
    func path(ofNode name: String) -> String? { node(named: name)?.path }
}
