// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The processes that have a node open, as far as `/proc` is accessible.
struct DeviceUsers: Sendable, Hashable {
    /// The other processes, by pid.
    let others: [ObscuraError.Holder]
    /// The number of descriptors of this process that are open on the node.
    let ownCount: Int
    /// Whether there are processes of other users that this one may not inspect.
    let hasHidden: Bool

    /// Reads the descriptors of every process. Takes some milliseconds: for messages, not for each attempt.
    init(of path: String, in files: FileTree = FileTree(), ownProcess: Int32 = getpid()) {
        let node = files.resolved(path) ?? path
        let number = files.status(of: path).flatMap { $0.st_mode & S_IFMT == S_IFCHR ? $0.st_rdev : nil }
        var others: [ObscuraError.Holder] = []
        var ownCount = 0
        var hasHidden = false
        for process in (files.names(in: "/proc") ?? []).compactMap({ Int32($0) }).sorted() where process > 0 {
            let folder = "/proc/\(process)"
            guard let descriptors = files.names(in: folder + "/fd") else {
                // A process that has ended meanwhile is not hidden.
                hasHidden = hasHidden || files.status(of: folder) != nil
                continue
            }
            let count = descriptors.count { descriptor in
                let link = "\(folder)/fd/\(descriptor)"
                guard let target = files.link(at: link), target.hasPrefix("/") else { return false }
                if target == node || target == path { return true }
                // Also the same device under another name, as in a container.
                return number != nil && target.hasPrefix("/dev/") && files.status(of: link)?.st_rdev == number
            }
            if process == ownProcess {
                ownCount = count
            } else if count > 0 {
                let name = DeviceName.shown(files.text(of: folder + "/comm") ?? "")
                others.append(ObscuraError.Holder(pid: process, name: name.isEmpty ? "a process" : name))
            }
        }
        self.others = others
        self.ownCount = ownCount
        self.hasHidden = hasHidden
    }

    /// The other processes as text after "open in"; nil if there are no visible ones.
    ///
    /// An open node is not necessarily in use: a process may only query it, or write to a v4l2loopback.
    var names: String? {
        guard !others.isEmpty else { return nil }
        let names = others.prefix(3).map { "\($0.name) (pid \($0.pid))" }.joined(separator: ", ")
        return names + (others.count > 3 ? " and \(others.count - 3) more" : "")
    }

    /// Whether a session of this process may use the node. The caller usually has it open itself, so one descriptor
    /// does not count.
    private var isOwn: Bool { ownCount > 1 }

    /// The reason why the node is busy, as the end of a sentence that begins with the node.
    var reason: String {
        switch (isOwn, names) {
        case (true, nil): "in use by this process already"
        case (true, let names?): "in use; it is open in this process already, and in \(names)"
        case (false, let names?): "in use; it is open in \(names)"
        case (false, nil): "in use by another process (not visible \(hasHidden ? "to this user" : "to this process"))"
        }
    }

    /// The remedy.
    var remedy: Remedy { isOwn ? .stopOtherSession : .waitForDevice }
}
