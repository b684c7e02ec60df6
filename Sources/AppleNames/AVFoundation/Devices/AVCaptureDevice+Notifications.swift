// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension AVCaptureDevice {
    /// A camera or a microphone was plugged in, or its permission has changed. The object is the device.
    public static var wasConnectedNotification: Notification.Name {
        _ = DeviceWatch.running
        return Notification.Name("AVCaptureDeviceWasConnectedNotification")
    }

    /// A camera or a microphone was unplugged. The object is the device.
    public static var wasDisconnectedNotification: Notification.Name {
        _ = DeviceWatch.running
        return Notification.Name("AVCaptureDeviceWasDisconnectedNotification")
    }

    /// Whether the device is plugged in: its device node exists. Always true for a source without a device node.
    public var isConnected: Bool { device.path.map { FileManager.default.fileExists(atPath: $0) } ?? true }
}

extension Notification.Name {
    /// A camera or a microphone was plugged in; see ``AVCaptureDevice/wasConnectedNotification``.
    public static var AVCaptureDeviceWasConnected: Notification.Name { AVCaptureDevice.wasConnectedNotification }
    /// A camera or a microphone was unplugged; see ``AVCaptureDevice/wasDisconnectedNotification``.
    public static var AVCaptureDeviceWasDisconnected: Notification.Name { AVCaptureDevice.wasDisconnectedNotification }
}

/// Posts the notifications of devices. Begins when a program first asks for the name of one.
private enum DeviceWatch {
    static let running = {
        // Observers may block, as those of queues do.
        let queue = DispatchQueue(label: "obscura.avfoundation.devices")
        let events = CaptureDevice.events
        return Task.detached {
            for await event in events { queue.async { post(event) } }
        }
    }()

    private static func post(_ event: DeviceEvent) {
        let name =
            switch event {
            case .connected: AVCaptureDevice.wasConnectedNotification
            case .disconnected: AVCaptureDevice.wasDisconnectedNotification
            }
        NotificationCenter.default.post(name: name, object: AVCaptureDevice.of(event.device))
    }
}
