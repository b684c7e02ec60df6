// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// Finds the cameras of this machine.
package struct CameraFinder: Sendable {
    let files: FileTree
    private let probe: any VideoNodeProbe
    let settings: DeviceSettingsFile?
    /// The lasting names that were seen at two places at once. They tell nobody apart any more, also when one of
    /// the twins has gone: who stays could be either.
    private let twins = Lock<Set<String>>([])
    /// More are not remembered: nobody has so many ports.
    private static let twinLimit = 1024

    /// - Parameters:
    ///   - root: the folder that stands for `/`.
    ///   - probe: asks the nodes.
    ///   - settings: what the user has said; nil for a user without a home.
    package init(root: String = "/", probe: any VideoNodeProbe, settings: DeviceSettingsFile? = .standard) {
        files = FileTree(root: root)
        self.probe = probe
        self.settings = settings
    }

    /// The cameras at this moment, the default one first. Opens each node for a moment, to ask what it is.
    package var cameras: [FoundCamera] { CameraListing(seen, settings: userSettings).cameras }

    /// The camera that answers to a name: its unique id, its node (`/dev/video2`, or a link to it), or
    /// another name that udev gives or could give it in `/dev/v4l/by-id` or `/dev/v4l/by-path`.
    package func camera(named name: String) -> FoundCamera? {
        let cameras = cameras
        if let camera = cameras.first(where: { $0.uniqueID == name }) { return camera }
        guard let path = path(named: name) else { return nil }
        return cameras.first { $0.path == path }
    }

    /// The node that answers to a name, as ``camera(named:)`` takes it. Cheap: asks sysfs alone and opens
    /// nothing, so it serves who waits for a camera to come back under whatever number.
    package func path(named name: String) -> String? {
        let (nodes, identities) = look()
        if let index = identities.firstIndex(where: { $0.uniqueID == name }) { return nodes[index].path }
        let links = name.hasPrefix("/") ? [name] : ["by-id", "by-path"].map { "/dev/v4l/\($0)/\(name)" }
        if !name.split(separator: "/", omittingEmptySubsequences: false).contains("..") || name.hasPrefix("/") {
            for link in links {
                if let node = nodes.first(where: { $0.path == link }) { return node.path }
                guard let target = files.resolved(link) else { continue }
                if let node = nodes.first(where: { files.resolved($0.path) == target }) { return node.path }
            }
        }
        return identities.firstIndex { $0.names.contains(name) }.map { nodes[$0].path }
    }

    /// The node that a camera has now; nil while it is away. Cheap, as ``path(named:)`` is.
    ///
    /// It is the same camera if it brings the same name along (or none, as before) and stands in the same place.
    /// In another place the name alone counts, unless it was ever seen at two places at once: then the camera
    /// there may be its twin, and a session must not go on with that one. Twins are seen by each look of this
    /// finder; the monitor has it look at each change, for as long as somebody watches.
    package func path(of camera: FoundCamera) -> String? {
        let (nodes, identities) = look()
        let same = nodes.indices.filter { identities[$0].lastingName == camera.lastingName }
        if let index = same.first(where: { identities[$0].place == camera.place }) { return nodes[index].path }
        guard let name = camera.lastingName, !twins.withLock({ $0.contains(name) }) else { return nil }
        return same.first.map { nodes[$0].path }
    }

    /// Looks who is there, so that twins that are there together are known as such later.
    func noteTwins() {
        _ = look()
    }

    /// The nodes and their names at this moment.
    private func look() -> (nodes: [VideoNode], identities: [CameraIdentity]) {
        let nodes = DeviceTree(files: files).nodes
        let identities = CameraIdentity.identities(of: nodes)
        let counts = Dictionary(grouping: identities.compactMap(\.lastingName)) { $0 }.mapValues(\.count)
        let seenTwice = counts.filter { $0.value > 1 }.keys
        if !seenTwice.isEmpty {
            twins.withLock { twins in
                for name in seenTwice where twins.count < Self.twinLimit { twins.insert(name) }
            }
        }
        return (nodes, identities)
    }

    /// Every node, and what came of asking it.
    var seen: [CameraListing.Seen] {
        let (nodes, identities) = look()
        return zip(nodes, identities).map { node, identity in
            let description = Result { () throws(CaptureError) in try probe.describe(path: node.path) }
            return CameraListing.Seen(
                node: node, identity: identity, description: description, access: access(node, description))
        }
    }

    private var userSettings: DeviceSettings { settings?.readForDiscovery() ?? DeviceSettings() }

    private func access(_ node: VideoNode, _ description: Result<NodeDescription, CaptureError>) -> NodeAccess {
        switch description {
        case .success: .granted
        case .failure(let error) where error.code == .notAuthorized:
            NodeAccess(path: node.path, in: files, openStatus: error.errno ?? EACCES)
        case .failure: NodeAccess(path: node.path, in: files)
        }
    }
}
