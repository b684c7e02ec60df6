// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import TestSupport
import Testing

/// The services of a desktop in the guest; see `Tests/Lab/desktop`.
enum Desktop {
    /// The cameras that fulfill a condition, once there are `count`.
    static func cameras(_ count: Int, whose isWanted: (CaptureDevice) -> Bool) async throws -> [CaptureDevice] {
        var found: [CaptureDevice] = []
        _ = await becomes {
            found = CaptureDevice.DiscoverySession().devices.filter(isWanted)
            return found.count == count
        }
        try #require(found.count == count, "\(found.map(\.uniqueID))")
        return found
    }

    /// Ends PipeWire's session manager, and with it all cameras of PipeWire.
    static func endManager() throws {
        let text = try #require(SmallFile.text("/run/lab/desktop/wireplumber.pid"))
        let number = try #require(Int32(text.trimmingCharacters(in: .newlines)))
        #expect(kill(number, SIGKILL) == 0)
    }

    /// Starts it again.
    static func startManager() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../Lab/desktop/start")
        try Lab.run(script.standardized.path, "manager")
    }
}
