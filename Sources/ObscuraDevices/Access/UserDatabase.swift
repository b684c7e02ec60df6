// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The users and groups of the system, from its files and directory services; see nsswitch.conf(5). A directory service
/// may be slow.
enum UserDatabase {
    /// Returns the name of the group with this number; nil if there is none.
    static func groupName(_ number: UInt32) -> String? {
        var entry = group()
        return answer { buffer, size, found in
            var result: UnsafeMutablePointer<group>?
            let status = getgrgid_r(number, &entry, buffer, size, &result)
            if let result { found = String(cString: result.pointee.gr_name) }
            return status
        }
    }

    /// Returns the groups that the user with this number gets at login.
    static func groups(ofUser number: UInt32) -> Set<UInt32> {
        var entry = passwd()
        let user: (name: String, group: UInt32)? = answer { buffer, size, found in
            var result: UnsafeMutablePointer<passwd>?
            let status = getpwuid_r(number, &entry, buffer, size, &result)
            if let result { found = (String(cString: result.pointee.pw_name), result.pointee.pw_gid) }
            return status
        }
        guard let user else { return [] }
        var count: Int32 = 64
        while true {
            var groups = [gid_t](repeating: 0, count: Int(count))
            let size = count
            if getgrouplist(user.name, user.group, &groups, &count) >= 0 { return Set(groups.prefix(Int(count))) }
            // The failed call has set the required count.
            guard count > size else { return [] }
        }
    }

    /// Repeats the call with larger buffers until the entry fits.
    private static func answer<Value>(
        _ call: (UnsafeMutablePointer<CChar>, Int, inout Value?) -> Int32
    ) -> Value? {
        var size = 1024
        while size <= 1 << 20 {
            var found: Value?
            let status = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                buffer.baseAddress.map { call($0, size, &found) } ?? ENOMEM
            }
            guard status == ERANGE else { return found }
            size *= 2
        }
        return nil
    }
}

extension ProcessRights {
    /// The rights of the calling process.
    static var current: ProcessRights {
        let count = max(0, getgroups(0, nil))
        var others = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &others)
        return ProcessRights(
            groups: Set(others.prefix(max(0, Int(filled)))).union([getegid()]),
            listedGroups: UserDatabase.groups(ofUser: geteuid()))
    }
}
