// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A scanner of sysfs for the nodes of one kind, which recognizes devices that are connected again.
struct NodeScanner<Node: DeviceNode>: Sendable {
    let files: FileTree
    /// The folder with udev's `by-id` and `by-path`.
    private let linkFolder: String
    private let duplicates = DuplicateDevices()

    init(files: FileTree, linkFolder: String) {
        self.files = files
        self.linkFolder = linkFolder
    }

    /// Returns the current nodes and their identities, in the same order. Records duplicates.
    func scan() -> (nodes: [Node], identities: [DeviceIdentity]) {
        let nodes = Node.all(in: files)
        let identities = DeviceIdentity.identities(of: nodes)
        duplicates.note(identities)
        return (nodes, identities)
    }

    /// Returns the current node of a device; nil while it is disconnected.
    func path(of device: FoundDevice) -> String? {
        let (nodes, identities) = scan()
        let index = duplicates.index(ofLastingName: device.lastingName, place: device.place, in: identities)
        return index.map { nodes[$0].path }
    }

    /// Returns the node with a name: a unique id, a path or a link to one, a link's name in `by-id` or `by-path`, or
    /// another of its ``DeviceIdentity/names``.
    func path(named name: String) -> String? {
        let (nodes, identities) = scan()
        if let index = identities.firstIndex(where: { $0.uniqueID == name }) { return nodes[index].path }
        for link in links(named: name) {
            if let node = nodes.first(where: { $0.path == link }) { return node.path }
            guard let target = files.resolved(link) else { continue }
            let node = nodes.first { $0.paths.contains { files.resolved($0) == target } }
            if let node { return node.path }
        }
        return identities.firstIndex { $0.names.contains(name) }.map { nodes[$0].path }
    }

    private func links(named name: String) -> [String] {
        if name.hasPrefix("/") { return [name] }
        return name.contains("/") ? [] : ["by-id", "by-path"].map { "\(linkFolder)/\($0)/\(name)" }
    }
}
