// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import CLibFuzzer
import Foundation

/// Runs libFuzzer on one target: `Fuzz TARGET [options and folders of libFuzzer]`. `Fuzz --seeds TARGET FOLDER` writes its
/// seeds; without arguments it lists the targets.
@main
enum Program {
    /// Set once, before the first input.
    nonisolated(unsafe) private static var target: FuzzTarget?

    static func main() {
        var arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "--seeds", let target = FuzzTarget.all[arguments[2]] {
            writeSeeds(of: target, to: arguments[3])
            return
        }
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
                _ = Program.target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        }
        exit(status)
    }

    private static func writeSeeds(of target: FuzzTarget, to folder: String) {
        do {
            for (index, seed) in target.seeds.enumerated() {
                try Data(seed.bytes()).write(to: URL(filePath: "\(folder)/seed-\(index)"))
            }
        } catch {
            FileHandle.standardError.write(Data("Fuzz: \(error)\n".utf8))
            exit(1)
        }
    }
}
