// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@testable import UIKit

/// The documented behavior of `UIDevice`, with files like those of the kernel.
@Suite("UIDevice") struct UIDeviceTests {
    private let folder: TemporaryFolder
    private let device: URL

    init() throws {
        folder = try TemporaryFolder()
        device = folder.url.appendingPathComponent("iio:device0", isDirectory: true)
        let light = folder.url.appendingPathComponent("iio:device00", isDirectory: true)
        for folder in [device, light] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("12\n".utf8).write(to: light.appendingPathComponent("in_illuminance_raw"))
    }

    private func write(_ values: [Int], matrix: String? = nil) throws {
        for (axis, value) in zip(["x", "y", "z"], values) {
            try Data("\(value)\n".utf8).write(to: device.appendingPathComponent("in_accel_\(axis)_raw"))
        }
        if let matrix { try Data(matrix.utf8).write(to: device.appendingPathComponent("in_accel_mount_matrix")) }
    }

    @Test(
        "The orientation is that of the axis that points up",
        arguments: [
            ([0, 980, 20], UIDeviceOrientation.portrait), ([0, -980, 0], .portraitUpsideDown),
            ([980, 30, 0], .landscapeLeft), ([-980, 0, 200], .landscapeRight), ([10, 0, 980], .faceUp),
            ([0, 300, -980], .faceDown), ([700, 700, 0], .unknown), ([0, 0, 0], .unknown),
        ])
    func orientations(_ values: [Int], _ orientation: UIDeviceOrientation) throws {
        try write(values)
        #expect(UIDevice(accelerometers: folder.url).orientation == orientation)
    }

    @Test("The axes of a chip that is mounted otherwise are those of its matrix") func matrix() throws {
        try write([980, 0, 0], matrix: "0, 1, 0; 1, 0, 0; 0, 0, 1\n")
        #expect(UIDevice(accelerometers: folder.url).orientation == .portrait)
        try write([980, 0, 0], matrix: "nonsense")
        #expect(UIDevice(accelerometers: folder.url).orientation == .landscapeLeft)
    }

    @Test("Without an accelerometer, and with one that does not answer, the orientation is unknown") func unknown()
        throws
    {
        #expect(UIDevice(accelerometers: folder.url).orientation == .unknown)
        #expect(UIDevice(accelerometers: URL(fileURLWithPath: "/nothing")).orientation == .unknown)
        try write([980, 0, 0])
        let machine = UIDevice(accelerometers: folder.url)
        try Data("error".utf8).write(to: device.appendingPathComponent("in_accel_z_raw"))
        #expect(machine.orientation == .unknown)
    }

    @Test("A change of the orientation is notified between begin and end") func notifications() async throws {
        try write([0, 980, 0])
        let machine = UIDevice(accelerometers: folder.url, interval: .milliseconds(1))
        let told = Lock(0)
        let observer = NotificationCenter.default.addObserver(
            forName: UIDevice.orientationDidChangeNotification, object: machine, queue: nil
        ) { _ in told.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(observer) }
        machine.beginGeneratingDeviceOrientationNotifications()
        machine.beginGeneratingDeviceOrientationNotifications()
        machine.endGeneratingDeviceOrientationNotifications()
        #expect(machine.isGeneratingDeviceOrientationNotifications)
        try write([980, 0, 0])
        #expect(await becomes { told.withLock { $0 } > 0 && machine.orientation == .landscapeLeft })
        machine.endGeneratingDeviceOrientationNotifications()
        #expect(!machine.isGeneratingDeviceOrientationNotifications)
        // Another one sees the next changes, and the first does not.
        let other = UIDevice(accelerometers: folder.url, interval: .milliseconds(1))
        let seen = Lock(0)
        let second = NotificationCenter.default.addObserver(
            forName: UIDevice.orientationDidChangeNotification, object: other, queue: nil
        ) { _ in seen.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(second) }
        other.beginGeneratingDeviceOrientationNotifications()
        try write([-980, 0, 0])
        #expect(await becomes { seen.withLock { $0 } > 0 })
        let count = told.withLock { $0 }
        try write([0, 980, 0])
        #expect(await becomes { seen.withLock { $0 } > 1 })
        #expect(told.withLock { $0 } == count)
        other.endGeneratingDeviceOrientationNotifications()
    }

    @Test("Portrait, landscape and flat are told apart") func kinds() {
        #expect(UIDeviceOrientation.portrait.isPortrait && UIDeviceOrientation.landscapeLeft.isLandscape)
        #expect(UIDeviceOrientation.faceUp.isFlat && !UIDeviceOrientation.faceUp.isValidInterfaceOrientation)
        #expect(!UIDeviceOrientation.unknown.isValidInterfaceOrientation)
        #expect(UIDevice.current.systemName == "Linux" && !UIDevice.current.name.isEmpty)
    }
}
