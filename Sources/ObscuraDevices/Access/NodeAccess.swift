// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture

/// Whether this process may use a node, and if not, how it comes to.
struct NodeAccess: Sendable, Hashable {
    let status: AuthorizationStatus
    /// A sentence for the user; nil where nothing is missing.
    let advice: String?

    /// Nothing is missing: the node was opened.
    static let granted = NodeAccess(status: .authorized, advice: nil)

    private init(status: AuthorizationStatus, advice: String?) {
        self.status = status
        self.advice = advice
    }

    /// The decision alone.
    ///
    /// - Parameters:
    ///   - isAllowed: whether the file rights (mode, access control list, capabilities) allow both reading
    ///     and writing.
    ///   - openStatus: the errno with which opening failed, if it was tried.
    init(isAllowed: Bool, openStatus: Int32?, node: NodeRights, process: ProcessRights) {
        if !isAllowed {
            status = .denied
            advice = Self.advice(node, process)
        } else if openStatus == EPERM || openStatus == EACCES {
            status = .restricted
            advice = """
                Its file rights allow it, but a policy of the system does not. In a container, pass the device in: \
                --device \(node.path). Else ask the administrator of this machine.
                """
        } else {
            status = .authorized
            advice = nil
        }
    }

    /// How the node at `path` stands to this process, by its effective user. A node that is not there is
    /// nobody's to forbid.
    init(path: String, in files: FileTree = FileTree(), openStatus: Int32? = nil) {
        guard let file = files.status(of: path) else {
            self = .granted
            return
        }
        let database = UserDatabase(files: files)
        self.init(
            isAllowed: faccessat(AT_FDCWD, files.place(of: path), R_OK | W_OK, AT_EACCESS) == 0,
            openStatus: openStatus,
            node: NodeRights(
                path: path, mode: file.st_mode & 0o777, group: file.st_gid,
                groupName: database.groupName(file.st_gid)),
            process: ProcessRights(database: database))
    }

    private static func advice(_ node: NodeRights, _ process: ProcessRights) -> String {
        guard node.mode & 0o060 == 0o060, node.group != 0, !process.groups.contains(node.group) else {
            // Joining the group would not help: it has no rights, or the process is in it already.
            let isSound = node.path.hasPrefix("/dev/snd/")
            let (subsystem, group) = isSound ? ("sound", "audio") : ("video4linux", "video")
            return """
                No group has the right to it (mode \(octal(node.mode))). Give it to the group \(group) with a udev \
                rule: echo 'SUBSYSTEM=="\(subsystem)", GROUP="\(group)", MODE="0660"' | sudo tee \
                /etc/udev/rules.d/70-obscura.rules, then plug the \(isSound ? "sound card" : "camera") in again.
                """
        }
        guard let name = node.groupName else {
            return """
                It belongs to the group \(node.group), which has no name here. In a container, join it with: \
                --group-add \(node.group).
                """
        }
        if process.listedGroups.contains(node.group) {
            return "You were added to the group \(name) after you logged in: log out and in again."
        }
        return "Add yourself to the group \(name): sudo usermod -aG \(name) $USER, then log in again."
    }

    private static func octal(_ mode: UInt32) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
