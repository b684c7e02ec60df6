// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@testable import ObscuraDevices

/// What the kernel sends, and what nobody should.
@Suite struct KernelEventTests {
    private func message(_ lines: String...) -> [UInt8] {
        lines.flatMap { Array($0.utf8) + [0] }
    }

    @Test("An event of a video node says what happened to which")
    func video() throws {
        let event = try #require(
            KernelEvent(
                message(
                    "add@/devices/platform/vivid.0/video4linux/video0", "ACTION=add",
                    "DEVPATH=/devices/platform/vivid.0/video4linux/video0", "SUBSYSTEM=video4linux", "MAJOR=81",
                    "DEVNAME=video0", "SEQNUM=3412")))
        #expect(event.subsystem == "video4linux" && event.action == "add")
        #expect(event.devicePath == "/devices/platform/vivid.0/video4linux/video0")
    }

    @Test("An event of another device is not about video")
    func other() throws {
        let event = try #require(
            KernelEvent(message("remove@/devices/x", "ACTION=remove", "DEVPATH=/devices/x", "SUBSYSTEM=block")))
        #expect(event.subsystem != "video4linux")
    }

    @Test(
        "What is no event of the kernel is none",
        arguments: [
            "", "\0\0\0", "libudev\0\u{1}", "add@", "@/devices/x\0ACTION=\0DEVPATH=/devices/x\0SUBSYSTEM=video4linux",
            "add@/devices/x", "add@/devices/x\0ACTION=remove\0DEVPATH=/devices/x\0SUBSYSTEM=video4linux",
            "add@/devices/x\0ACTION=add\0DEVPATH=/devices/y\0SUBSYSTEM=video4linux",
            "add@/devices/x\0ACTION=add\0DEVPATH=/devices/x", "add@/devices/x\0ACTION\0=\0==",
        ])
    func garbage(text: String) {
        #expect(KernelEvent(Array(text.utf8)) == nil)
    }

    @Test("Bytes that are no text, and a message that was cut, are no event")
    func bytes() {
        #expect(KernelEvent([0xff, 0xfe, 0x40, 0x00, 0x80]) == nil)
        let whole = message(
            "add@/devices/x", "ACTION=add", "DEVPATH=/devices/x", "SUBSYSTEM=video4linux")
        #expect(KernelEvent(whole)?.subsystem == "video4linux")
        for length in 0..<(whole.count - 1) { #expect(KernelEvent(whole.prefix(length))?.subsystem != "video4linux") }
    }

    private func change(_ name: String, mask: UInt32 = 0x100, length: UInt32? = nil) -> [UInt8] {
        let filled = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
        return [1, mask, 0, length ?? 16].flatMap { field in (0..<4).map { UInt8(field >> ($0 * 8) & 0xff) } } + filled
    }

    @Test("Of the changes in a folder, those of video nodes count")
    func folder() {
        let isAboutVideo = { (bytes: [UInt8]) in FolderEvents.isRelevant(FileEvents.parse(bytes[...]), for: ["video"]) }
        #expect(isAboutVideo(change("video3")) && isAboutVideo(change("sda") + change("video12")))
        #expect(!isAboutVideo(change("sda") + change("avideo")) && !isAboutVideo([]))
    }

    @Test("Lost changes, and a length that is not true, have us look")
    func lostChanges() {
        #expect(FolderEvents.isRelevant(FileEvents.parse(change("sda", mask: 0x4000)[...]), for: ["video"]))
        #expect(FolderEvents.isRelevant(FileEvents.parse(change("sda", length: 4_000_000_000)[...]), for: ["video"]))
        #expect(!FolderEvents.isRelevant(FileEvents.parse([1, 2, 3]), for: ["video"]))
    }
}
