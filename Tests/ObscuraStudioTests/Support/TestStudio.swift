// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Logging
import Obscura

@testable import ObscuraStudio

/// A Studio in a folder of its own, and what it says.
final class TestStudio: Sendable {
    let studio: Studio
    let folder: URL
    private let notes = Lock<[Notice]>([])
    private let changes = Lock(0)

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
                onChange: { [changes] in changes.withLockSignalling { $0 += 1 } },
                onNotice: { [notes] notice in notes.withLock { $0.append(notice) } }))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var notices: [Notice] { notes.withLock { $0 } }

    /// Waits until `condition` holds, looking again after each change that the Studio tells of.
    func until(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.detach(name: "test") { [changes] in
                // A change may be told of a little before or after it can be seen.
                let deadline = HostTime.now + .seconds(30)
                var holds = condition()
                while !holds, HostTime.now < deadline {
                    let before = changes.withLock { $0 }
                    _ = changes.wait(until: min(deadline, .now + .milliseconds(20))) { $0 > before ? true : nil }
                    holds = condition()
                }
                continuation.resume(returning: holds)
            }
            if !isStarted { continuation.resume(returning: false) }
        }
    }
}

/// Counts, and lets wait for a number.
final class Tally: Sendable {
    private let value = Lock(0)

    var now: Int { value.withLock { $0 } }
    func add() { value.withLockSignalling { $0 += 1 } }

    /// Whether it came to `target` within half a minute.
    func reaches(_ target: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.detach(name: "test") { [value] in
                let isThere = value.wait(until: .now + .seconds(30)) { $0 >= target ? true : nil }
                continuation.resume(returning: isThere ?? false)
            }
            if !isStarted { continuation.resume(returning: false) }
        }
    }
}

extension CaptureDevice {
    /// The built-in camera, small.
    static func pattern(_ name: String = "pattern:160x96@60") throws -> CaptureDevice { try .named(name) }

    /// A camera that plays a script.
    static func replay(
        _ name: String, _ script: [ReplayEvent], status: AuthorizationStatus = .authorized,
        allows: Bool = true, refusal: @escaping @Sendable (VideoFormat?) -> CaptureError? = { _ in nil }
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
