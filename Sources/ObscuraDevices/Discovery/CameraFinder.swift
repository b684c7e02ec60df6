// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The discovery of the cameras of this machine.
struct CameraFinder: DeviceFinder {
    private let scanner: NodeScanner<VideoNode>
    private let probe: any VideoNodeProbe
    let settings: DeviceSettingsFile?

    let eventFilter = DeviceEventFilter(subsystem: "video4linux", folders: ["/dev"], prefixes: ["video"])

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - root: the root folder instead of `/`.
    ///   - probe: queries the nodes.
    ///   - settings: the user's settings; nil for a user without a home folder.
    init(root: String = "/", probe: any VideoNodeProbe, settings: DeviceSettingsFile? = .standard) {
        scanner = NodeScanner(files: FileTree(root: root), linkFolder: "/dev/v4l")
        self.probe = probe
        self.settings = settings
    }

    var files: FileTree { scanner.files }

    /// The connected cameras, the default one first. Opens each node to query it.
    var devices: [FoundDevice] { listing.cameras }

    /// The connected cameras, and the other nodes. Opens each node to query it.
    var listing: CameraListing {
        CameraListing(candidates, settings: settings?.readForDiscovery() ?? DeviceSettings())
    }

    func path(named name: String) -> String? { scanner.path(named: name) }
    func path(of device: FoundDevice) -> String? { scanner.path(of: device) }
    func noteDuplicates() { _ = scanner.scan() }

    /// All nodes with the results of their queries.
    var candidates: [CameraListing.Candidate] {
        let (nodes, identities) = scanner.scan()
        let all = zip(nodes, identities).map { node, identity in
            let description = Result { () throws(ObscuraError) in try probe.describe(path: node.path) }
            return CameraListing.Candidate(
                node: node, identity: identity, description: description, access: access(node, description))
        }
        return all.map { $0.recognizingInfrared(among: all) }
    }

    private func access(_ node: VideoNode, _ description: Result<NodeDescription, ObscuraError>) -> NodeAccess {
        switch description {
        case .success: .granted
        case .failure(let error) where error.code == .notAuthorized:
            NodeAccess(path: node.path, in: files, openStatus: error.errno ?? EACCES)
        case .failure: NodeAccess(path: node.path, in: files)
        }
    }
}
