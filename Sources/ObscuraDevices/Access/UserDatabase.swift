// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// What `/etc/passwd` and `/etc/group` say. Groups that only a directory server knows are not seen: those
/// of devices stand in the files.
struct UserDatabase: Sendable {
    private let files: FileTree

    init(files: FileTree) {
        self.files = files
    }

    /// What the group with this number is called.
    func groupName(_ number: UInt32) -> String? {
        lines(of: "/etc/group").first { $0.count >= 3 && UInt32($0[2]) == number && !$0[0].isEmpty }.map { $0[0] }
    }

    /// The groups that the user with this number gets on logging in.
    func groups(ofUser number: UInt32) -> Set<UInt32> {
        guard let user = lines(of: "/etc/passwd").first(where: { $0.count >= 4 && UInt32($0[2]) == number }) else {
            return []
        }
        let others = lines(of: "/etc/group").filter { line in
            line.count >= 4 && line[3].split(separator: ",").contains { $0 == user[0] }
        }
        return Set(([user[3]] + others.map { $0[2] }).compactMap { UInt32($0) })
    }

    private func lines(of path: String) -> [[String]] {
        let bytes = files.bytes(of: path, limit: 1 << 20) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension ProcessRights {
    /// Those of the calling process.
    init(database: UserDatabase) {
        let count = max(0, getgroups(0, nil))
        var others = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &others)
        groups = Set(others.prefix(max(0, Int(filled)))).union([getegid()])
        listedGroups = database.groups(ofUser: geteuid())
    }
}
