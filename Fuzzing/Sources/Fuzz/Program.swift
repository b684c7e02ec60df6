// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CLibFuzzer
import Foundation

/// Runs libFuzzer on one target: `Fuzz TARGET [options and folders of libFuzzer]`. Without a target it lists them.
@main
enum Program {
    /// Set once, before the first input.
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func main() {
        var arguments = CommandLine.arguments
        guard arguments.count > 1, let target = FuzzTarget.all[arguments[1]] else {
            print(FuzzTarget.all.keys.sorted().joined(separator: "\n"))
            exit(arguments.count > 1 ? 64 : 0)
        }
        self.target = target
        arguments.remove(at: 1)
        var count = Int32(arguments.count)
        var pointers = arguments.map { strdup($0) } + [nil]
        let status = pointers.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard var base = buffer.baseAddress else { return 1 }
            return LLVMFuzzerRunDriver(&count, &base) { data, size in
                Program.target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        }
        exit(status)
    }
}
