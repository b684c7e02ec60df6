// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import TestSupport
import Testing

/// What all other tests of this target take for granted of the guest.
@Suite("The lab", .guest)
struct LabTests {
    @Test("Two vivid cameras are there, and v4l2-ctl lists them")
    func cameras() throws {
        let cameras = try VividCamera.all()
        #expect(cameras.map(\.name) == ["vivid-000-vid-cap", "vivid-001-vid-cap"])
        let listed = try Lab.run("v4l2-ctl", "--list-devices")
        for camera in cameras {
            #expect(listed.contains("\t\(camera.path)\n"))
        }
    }

    @Test("A pulled plug takes the nodes away, and they come back for the group video")
    func plug() async throws {
        let before = try VividCamera.all().map(\.path)
        defer { try? VividCamera.plug() }
        for _ in 0..<2 {
            try VividCamera.unplug()
            #expect(try VividCamera.all().isEmpty)
            for path in before {
                #expect(access(path, F_OK) != 0)
            }
            try VividCamera.plug()
            #expect(try VividCamera.all().map(\.path) == before)
            for path in before {
                #expect(await becomes { Self.rights(path) == "video 660" }, "\(Self.rights(path))")
            }
        }
    }

    /// The group and the mode of a node.
    private static func rights(_ path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0, let group = getgrgid(status.st_gid) else { return "nothing" }
        return "\(String(cString: group.pointee.gr_name)) \(String(status.st_mode & 0o777, radix: 8))"
    }

    @Test("A control of vivid is set and read")
    func controls() throws {
        let camera = try #require(try VividCamera.all().first)
        defer { try? camera.set("percentage_of_dropped_buffers", to: 0) }
        try camera.set("percentage_of_dropped_buffers", to: 30)
        #expect(try camera.value(of: "percentage_of_dropped_buffers") == 30)
        #expect(throws: Tool.Failure.self) { try camera.set("no_such_control", to: 1) }
    }

    @Test("A fed loopback device is a camera of Motion JPEG")
    func loopback() async throws {
        let camera = try await LoopbackCamera()
        defer { camera.stop() }
        let file = Lab.out.appending(path: "one.jpeg").path
        try Lab.run(
            "v4l2-ctl", "--device", LoopbackCamera.path, "--stream-mmap", "--stream-count", "1", "--stream-to", file)
        let picture = try Probe(file)
        #expect(picture.frames.count == 1)
    }
}
