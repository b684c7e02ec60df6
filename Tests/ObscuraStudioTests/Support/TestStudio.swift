// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import Obscura
import ObscuraBase
import ObscuraDrivers

@testable import ObscuraStudio

/// A Studio in a folder of its own, and what it says.
final class TestStudio: Sendable {
    let studio: Studio
    let folder: URL
    private let notes = Lock<[Notice]>([])

    /// - Parameter listed: the devices that pages may choose.
    init(listed: [CaptureDevice] = [], allowsSources: Bool = false, idlePatience: Duration = .zero) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
        let devices = StudioDevices(
            list: { type in listed.filter { $0.mediaTypes.contains(type) } }, builtIn: { _ in [] },
            named: StudioDevices.machine.named,
            events: { AsyncStream(bufferingPolicy: .bufferingNewest(1)) { $0.finish() } })
        studio = Studio(
            folder: try MediaFolder(path: folder.path), devices: devices, allowsSources: allowsSources,
            idlePatience: idlePatience, logger: Logger(label: "test"))
        _ = studio.announcer.add(
            .init(
                onChange: {},
                onNotice: { [notes] notice in notes.withLock { $0.append(notice) } }))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var notices: [Notice] { notes.withLock { $0 } }
}

extension CaptureDevice {
    /// The built-in camera, small.
    static func pattern(_ name: String = "pattern:160x96@60") throws -> CaptureDevice { try .named(name) }

    /// A camera that plays a script.
    static func replay(
        _ name: String, _ script: [ReplayEvent], status: AuthorizationStatus = .authorized,
        allows: Bool = true, refusal: @escaping @Sendable (VideoFormat?) -> ObscuraError? = { _ in nil }
    ) -> CaptureDevice {
        let format = VideoFormat(pixelFormat: .i420, width: 160, height: 96, frameRate: FrameRate(30))
        return CaptureDevice(
            driver: ReplayDriver(
                name: name, formats: [format], script: script, authorizationStatus: status,
                requestAccess: { allows }, refusal: refusal))
    }
}

extension ReplayEvent {
    /// A second of frames, a drop-out, and frames again.
    static func droppingOut() throws -> [ReplayEvent] {
        let picture = try PixelBuffer(format: .i420, width: 160, height: 96)
        return frames(10, of: picture, at: FrameRate(30)) + [ReplayEvent(at: .milliseconds(400), .unplug)]
            + frames(600, of: picture, at: FrameRate(30), from: .milliseconds(700))
    }
}
