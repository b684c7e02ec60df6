// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// Finds the cameras of this machine.
package struct CameraFinder: DeviceFinder {
    package let files: FileTree
    private let probe: any VideoNodeProbe
    let settings: DeviceSettingsFile?
    private let twins = DuplicateDevices()

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
    /// A twin is not taken for it; see ``DuplicateDevices``. Twins are seen by each look of this finder; the monitor has it
    /// look at each change, for as long as somebody watches.
    package func path(of camera: FoundCamera) -> String? {
        let (nodes, identities) = look()
        let index = twins.index(ofLastingName: camera.lastingName, place: camera.place, in: identities)
        return index.map { nodes[$0].path }
    }

    package var found: [FoundCamera] { cameras }
    package var signs: ChangeSigns { ChangeSigns(subsystem: "video4linux", folders: ["/dev"], names: ["video"]) }

    /// Looks who is there, so that twins that are there together are known as such later.
    package func noteTwins() {
        _ = look()
    }

    /// The nodes and their names at this moment.
    private func look() -> (nodes: [VideoNode], identities: [DeviceIdentity]) {
        let nodes = DeviceTree(files: files).nodes
        let identities = DeviceIdentity.identities(of: nodes)
        twins.note(identities)
        return (nodes, identities)
    }

    /// Every node, and what came of asking it.
    var seen: [CameraListing.Seen] {
        let (nodes, identities) = look()
        return zip(nodes, identities).map { node, identity in
            let description = Result { () throws(ObscuraError) in try probe.describe(path: node.path) }
            return CameraListing.Seen(
                node: node, identity: identity, description: description, access: access(node, description))
        }
    }

    private var userSettings: DeviceSettings { settings?.readForDiscovery() ?? DeviceSettings() }

    private func access(_ node: VideoNode, _ description: Result<NodeDescription, ObscuraError>) -> NodeAccess {
        switch description {
        case .success: .granted
        case .failure(let error) where error.code == .notAuthorized:
            NodeAccess(path: node.path, in: files, openStatus: error.errno ?? EACCES)
        case .failure: NodeAccess(path: node.path, in: files)
        }
    }
}

package typealias CameraMonitor = DeviceMonitor<CameraFinder>
