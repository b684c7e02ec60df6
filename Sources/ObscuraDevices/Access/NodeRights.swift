// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The group and permissions of a node.
struct NodeRights: Sendable, Hashable {
    let path: String
    /// The nine permission bits.
    let mode: UInt32
    let group: UInt32
    /// The group's name; nil if it has none, as in a container.
    let groupName: String?
}

/// The groups of this process, and those after the user's next login.
struct ProcessRights: Sendable, Hashable {
    /// The effective and supplementary groups of the process.
    let groups: Set<UInt32>
    /// The groups that the user gets at login.
    let listedGroups: Set<UInt32>
}
