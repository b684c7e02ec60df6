// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// This process's permission to use a node, with a remedy.
struct NodeAccess: Sendable, Hashable {
    let status: AuthorizationStatus
    /// The remedy; nil if permission is granted.
    let remedy: Remedy?

    /// The reason for a missing permission; nil if it is granted.
    var reason: AccessReason? {
        switch status {
        case .denied: .filePermissions
        case .restricted: .systemPolicy
        case .authorized, .notDetermined: nil
        }
    }

    /// The permission for a node that was opened.
    static let granted = NodeAccess(status: .authorized, remedy: nil)

    private init(status: AuthorizationStatus, remedy: Remedy?) {
        self.status = status
        self.remedy = remedy
    }

    /// Decides from known rights.
    ///
    /// - Parameters:
    ///   - isAllowed: whether the file rights (mode, access control list, capabilities) allow both reading
    ///     and writing.
    ///   - openStatus: the errno of a failed open; nil if it was not tried.
    ///   - node: the rights of the node; evaluated only if needed, since a directory service may be slow.
    ///   - process: the rights of the process.
    init(
        isAllowed: Bool, openStatus: Int32?, node: @autoclosure () -> NodeRights,
        process: @autoclosure () -> ProcessRights
    ) {
        if !isAllowed {
            status = .denied
            remedy = Self.remedy(node(), process())
        } else if openStatus == EPERM || openStatus == EACCES {
            status = .restricted
            // A policy of the system forbids what the file permissions allow.
            remedy = .addDeviceToContainer(node().path)
        } else {
            status = .authorized
            remedy = nil
        }
    }

    /// Determines the permission of this process's effective user for the node at `path`. Granted for a missing node.
    init(path: String, in files: FileTree = FileTree(), openStatus: Int32? = nil) {
        guard let file = files.status(of: path) else {
            self = .granted
            return
        }
        self.init(
            isAllowed: faccessat(AT_FDCWD, files.place(of: path), R_OK | W_OK, AT_EACCESS) == 0,
            openStatus: openStatus,
            node: NodeRights(
                path: path, mode: file.st_mode & 0o777, group: file.st_gid,
                groupName: UserDatabase.groupName(file.st_gid)),
            process: .current)
    }

    private static func remedy(_ node: NodeRights, _ process: ProcessRights) -> Remedy {
        guard node.mode & 0o060 == 0o060, node.group != 0, !process.groups.contains(node.group) else {
            // Joining the group would not help: it lacks permission, or the process is already a member.
            let isSound = node.path.hasPrefix("/dev/snd/")
            let (subsystem, group) = isSound ? ("sound", "audio") : ("video4linux", "video")
            return .allowGroup(group, subsystem: subsystem)
        }
        guard let name = node.groupName else { return .addGroupToContainer(UInt32(node.group)) }
        if process.listedGroups.contains(node.group) {
            return .advice("This user was added to the group \(name) after the login: log out and in again.")
        }
        return .joinGroup(name)
    }
}
