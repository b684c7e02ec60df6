// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import AVFoundation
import ObscuraBase
import TestSupport
import Testing

/// Apple's devices on cameras of the kernel.
@Suite("Apple's devices", .guest, .serialized) struct AppleDeviceTests {
    @Test("A program is told when a camera is unplugged and plugged in") func plugging() async {
        // It listens until its process ends.
        await #expect(processExitsWith: .success) { try await AppleDeviceTests.plug() }
    }

    private static func plug() async throws {
        let camera = try #require(try Lab.cameras.all().first)
        defer { try? Lab.cameras.plug() }
        let told = Lock<[(name: Notification.Name, device: AVCaptureDevice)]>([])
        let names = [AVCaptureDevice.wasDisconnectedNotification, AVCaptureDevice.wasConnectedNotification]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                guard let device = notification.object as? AVCaptureDevice else { return }
                told.withLock { $0.append((name, device)) }
            }
        }
        defer { observers.forEach(NotificationCenter.default.removeObserver) }
        func device(_ name: Notification.Name) -> AVCaptureDevice? {
            told.withLock { $0.last { $0.name == name && $0.device.device.path == camera.path } }?.device
        }
        try Lab.cameras.unplug()
        #expect(await becomes { device(names[0]) != nil })
        #expect(device(names[0])?.isConnected == false && device(names[1]) == nil)
        try Lab.cameras.plug()
        #expect(await becomes { device(names[1]) != nil })
        #expect(device(names[1])?.isConnected == true && device(names[1])?.hasMediaType(.video) == true)
    }
}
