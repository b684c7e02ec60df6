// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

/// In a folder that looks like a system's `/proc` and `/sys`.
@Suite("Limits on the number of threads") struct ThreadLimitTests {
    private let root: TemporaryFolder

    init() throws {
        root = try TemporaryFolder()
    }

    private func write(_ path: String, _ text: String) throws {
        let file = root.url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func limit(user: UInt32 = 1000, of userLimit: Int? = nil, addressSpace: Int? = nil) -> ThreadLimit {
        ThreadLimit(
            root: root.url.path, user: user, userLimit: userLimit, addressSpace: addressSpace, stackSize: 8 << 20)
    }

    @Test("Without limits there are more than any server asks for")
    func none() {
        #expect(limit().available > 1_000_000)
    }

    @Test("All processes of the user count, and root has no limit")
    func user() throws {
        try write("proc/1/status", "Name:\tinit\nUid:\t0\t0\t0\t0\nThreads:\t7\n")
        try write("proc/20/status", "Name:\tUid: 0\nUid:\t1000\t1000\t1000\t1000\nThreads:\t30\n")
        try write("proc/21/status", "Uid:\t1000\t1000\t1000\t1000\nThreads:\t5\n")
        try write("proc/sys/status", "Uid:\t1000\t1000\t1000\t1000\nThreads:\t500\n")
        #expect(limit(of: 400).available == 365)
        #expect(limit(user: 0, of: 400).available > 1_000_000)
    }

    @Test(
        "The smallest room of the control groups counts",
        arguments: [
            ("0::/a/b\n", "sys/fs/cgroup"), ("3:cpu:/other\n12:memory,pids:/a/b\n", "sys/fs/cgroup/pids"),
        ])
    func controlGroups(lines: String, folder: String) throws {
        try write("proc/self/cgroup", lines)
        try write("\(folder)/a/b/pids.max", "max\n")
        try write("\(folder)/a/b/pids.current", "20\n")
        #expect(limit().available > 1_000_000)
        try write("\(folder)/a/pids.max", "100\n")
        try write("\(folder)/a/pids.current", "40\n")
        #expect(limit().available == 60)
        try write("\(folder)/pids.max", "90\n")
        try write("\(folder)/pids.current", "80\n")
        #expect(limit().available == 10)
    }

    @Test("The address space has room for so many stacks, the system for so many threads")
    func rest() throws {
        try write("proc/self/status", "VmSize:\t  1048576 kB\n")
        #expect(limit(addressSpace: 2 << 30).available == 128)
        try write("proc/sys/kernel/threads-max", "1000\n")
        try write("proc/loadavg", "0.20 0.18 0.12 3/900 11206\n")
        #expect(limit(addressSpace: 2 << 30).available == 100)
    }

    @Test("This process has room for threads")
    func real() {
        #expect(ThreadLimit().available > 0)
    }
}
