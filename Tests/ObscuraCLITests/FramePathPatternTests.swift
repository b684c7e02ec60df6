// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@Suite struct FramePathPatternTests {
    @Test(
        "A number is filled up with zeros and never cut off",
        arguments: [
            ("frames/%06d.jpg", 1, "frames/000001.jpg"), ("%06d.jpg", 1_234_567, "1234567.jpg"),
            ("a/%d.png", 0, "a/0.png"), ("%03d", 12, "012"), ("100%%-%02d.jpg", 5, "100%-05.jpg"),
            ("x.raw", 7, "x.raw"), ("ä/日本 %d.jpg", 3, "ä/日本 3.jpg"), ("/%01d", 9, "/9"),
        ])
    func paths(pattern: String, number: Int, path: String) throws {
        #expect(try FramePathPattern(pattern).path(number) == path)
    }

    @Test(
        "What is no pattern is refused",
        arguments: [
            "", "frames/", "%s.jpg", "%", "a%", "%6d.jpg", "%d-%d.jpg", "%d/x.jpg", "%099d.jpg", "%0d%", "a\0b",
        ])
    func refused(pattern: String) {
        let error = #expect(throws: ObscuraError.self) { try FramePathPattern(pattern) }
        #expect(error?.code == .invalidPath)
    }

    @Test("It knows its folder and its ending")
    func parts() throws {
        let pattern = try FramePathPattern("a.b/c/%06d.tar.JPG")
        #expect(pattern.folder == "a.b/c" && pattern.pathExtension == "jpg" && pattern.hasNumber)
        let name = try FramePathPattern("/x")
        #expect(name.folder == "/" && name.pathExtension == "" && !name.hasNumber)
        #expect(try FramePathPattern(".hidden").pathExtension == "")
        #expect(try FramePathPattern("a.b/%d").pathExtension == "")
        #expect(try FramePathPattern("%d.jpg").folder == ".")
    }
}
