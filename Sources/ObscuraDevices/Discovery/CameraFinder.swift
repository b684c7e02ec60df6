// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture

/// Finds the cameras of this machine.
package struct CameraFinder: Sendable {
    let files: FileTree
    private let probe: any VideoNodeProbe
    let settings: DeviceSettingsFile?

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
        let nodes = DeviceTree(files: files).nodes
        let identities = CameraIdentity.identities(of: nodes)
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

    /// Every node, and what came of asking it.
    var seen: [CameraListing.Seen] {
        let nodes = DeviceTree(files: files).nodes
        return zip(nodes, CameraIdentity.identities(of: nodes)).map { node, identity in
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
