// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Whose a node is, and what its mode allows.
struct NodeRights: Sendable, Hashable {
    let path: String
    /// The nine bits of the mode.
    let mode: UInt32
    let group: UInt32
    /// What the group is called here; nil where it has no name, as in a container.
    let groupName: String?
}

/// Who this process is, and who the user could be after logging in again.
struct ProcessRights: Sendable, Hashable {
    /// The effective group and the others, as the kernel has them.
    let groups: Set<UInt32>
    /// The groups that the system gives to the user at login.
    let listedGroups: Set<UInt32>
}
