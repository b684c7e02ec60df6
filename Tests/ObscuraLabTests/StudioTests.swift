// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import Obscura
import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraStudio

/// The Studio on a camera of the kernel.
@Suite("The Studio", .guest, .serialized)
struct StudioTests {
    @Test("A camera whose plug is pulled is shown as away, and goes on by itself when it is back")
    func replugging() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let studio = Studio(
            folder: try MediaFolder(path: folder.path), idlePatience: .zero, logger: Logger(label: "lab"))
        try await studio.add(named: "camera:\(camera.path)")
        let shown = try #require(studio.cameras.first)
        let pictures = Lock(0)
        let notices = Lock<[Notice.Level]>([])
        _ = studio.announcer.add(
            .init(onChange: {}, onNotice: { notice in notices.withLock { $0.append(notice.level) } }))
        let status = { @Sendable in shown.description(revision: 1, listed: [], freeSpace: 0).state }
        let watch = try shown.watch(PictureRequest(box: PixelSize(width: 160, height: 90), gravity: .resizeAspect)) {
            _ in
            pictures.withLock { $0 += 1 }
        }
        #expect(await becomes { pictures.withLock { $0 } >= 3 })
        for _ in 0..<2 {
            try Lab.cameras.unplug()
            #expect(await becomes { status() == .disconnected })
            #expect(shown.description(revision: 1, listed: [], freeSpace: 0).problem?.advice != nil)
            try Lab.cameras.plug()
            #expect(await becomes { status() == .running })
            let before = pictures.withLock { $0 }
            #expect(await becomes { pictures.withLock { $0 } >= before + 3 })
        }
        #expect(notices.withLock { $0 } == [.warning, .info, .warning, .info])
        // The controls of a real driver.
        let controls = try await shown.controls()
        let brightness = try #require(controls.first { $0.name == "brightness" })
        let other = (brightness.value ?? 0) == 100 ? Int64(101) : 100
        try await shown.setControls(["brightness": other])
        #expect(try await shown.controls().first { $0.name == "brightness" }?.value == other)
        withExtendedLifetime(watch) {}
        await studio.close()
        #expect(await becomes { PixelBuffer.liveCount == 0 })
    }
}
