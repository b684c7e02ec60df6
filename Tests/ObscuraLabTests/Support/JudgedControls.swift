// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport

/// The controls of a camera as `v4l2-ctl` reads them.
struct JudgedControls {
    /// The path of the camera.
    let node: String

    /// The value of a control, such as `128`.
    func value(_ name: String) throws -> String {
        let text = try Lab.run("v4l2-ctl", "-d", node, "-C", name)
        return text.split(separator: ":", maxSplits: 1).last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    /// The names of all controls, in order, and the description of each.
    func list() throws -> [(name: String, words: String)] {
        let text = try Lab.run("v4l2-ctl", "-d", node, "-l")
        return text.split(separator: "\n").compactMap { line in
            guard let type = line.range(of: #" 0x[0-9a-f]+ \("#, options: .regularExpression) else { return nil }
            return (line[..<type.lowerBound].trimmingCharacters(in: .whitespaces), String(line[type.upperBound...]))
        }
    }
}
