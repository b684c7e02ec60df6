// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport
import Testing

@Suite("A camera of the kernel", .anyCamera)
struct AnyCameraTests {
    @Test("It streams, by what v4l2-ctl sees")
    func streams() throws {
        let camera = try #require(Lab.camera)
        let file = Lab.out.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Lab.run(
            "v4l2-ctl", "--device", camera, "--stream-mmap", "--stream-count", "3", "--stream-to", file.path)
        #expect(try Data(contentsOf: file, options: .alwaysMapped).count > 0)
    }
}
