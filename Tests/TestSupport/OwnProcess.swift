// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// What the process of the test itself holds. Other tests beside it count as well: for a test in a process of its own.
package enum OwnProcess {
    /// Its own memory (`RssAnon`), after giving back what is free.
    package static func residentKilobytes() -> Int {
        // Not in Swift's view of the C library.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        }
        return kilobytes("RssAnon")
    }

    /// A line of `/proc/self/status` in kilobytes; 0 where there is none.
    fileprivate static func kilobytes(_ name: String) -> Int {
        let status = SmallFile.text("/proc/self/status") ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// What its open descriptors lead to, sorted. One that is being looked with is not among them.
    package static func descriptors() -> [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .sorted()
    }
}

/// The largest amount of memory that this process had resident since a moment.
package struct MemoryPeak {
    private let before: Int

    /// Begins now.
    package init() {
        // 5: "reset the peak resident set size to the current value" (proc(5)).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        before = OwnProcess.kilobytes("VmRSS")
    }

    /// By how much it has grown at the most.
    package var growthKilobytes: Int { OwnProcess.kilobytes("VmHWM") - before }
}
