// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// Whether this process may use a node, and if not, how it comes to.
struct NodeAccess: Sendable, Hashable {
    let status: AuthorizationStatus
    /// What the user can do; nil where nothing is missing.
    let remedy: Remedy?

    /// Nothing is missing: the node was opened.
    static let granted = NodeAccess(status: .authorized, remedy: nil)

    private init(status: AuthorizationStatus, remedy: Remedy?) {
        self.status = status
        self.remedy = remedy
    }

    /// The decision alone.
    ///
    /// - Parameters:
    ///   - isAllowed: whether the file rights (mode, access control list, capabilities) allow both reading
    ///     and writing.
    ///   - openStatus: the errno with which opening failed, if it was tried.
    ///   - node: the rights of the node; asked for only if they matter, since a directory service may take its time.
    ///   - process: those of the process.
    init(
        isAllowed: Bool, openStatus: Int32?, node: @autoclosure () -> NodeRights,
        process: @autoclosure () -> ProcessRights
    ) {
        if !isAllowed {
            status = .denied
            remedy = Self.remedy(node(), process())
        } else if openStatus == EPERM || openStatus == EACCES {
            status = .restricted
            // Its file rights allow it, but a policy of the system does not.
            remedy = .addDeviceToContainer(node().path)
        } else {
            status = .authorized
            remedy = nil
        }
    }

    /// How the node at `path` stands to this process, by its effective user. A node that is not there is
    /// nobody's to forbid.
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
            // Joining the group would not help: it has no rights, or the process is in it already.
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
