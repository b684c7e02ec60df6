// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What the kernel says of its video nodes in sysfs.
struct DeviceTree: Sendable {
    let files: FileTree

    /// - Parameter root: the folder that stands for `/`.
    init(root: String = "/") {
        files = FileTree(root: root)
    }

    init(files: FileTree) {
        self.files = files
    }

    /// The video nodes, as the kernel numbers them. Cheap: opens no device.
    var nodes: [VideoNode] {
        (files.names(in: VideoNode.folder) ?? []).compactMap { VideoNode($0, in: files) }
            .sorted { ($0.number, $0.systemName) < ($1.number, $1.systemName) }
    }
}
