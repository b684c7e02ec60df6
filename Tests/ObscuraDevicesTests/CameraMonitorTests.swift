// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Cameras come and go.
@Suite(.hangLimit) struct CameraMonitorTests {
    private let machine: FakeMachine
    private let monitor: DeviceMonitor

    init() throws {
        machine = try FakeMachine()
        monitor = DeviceMonitor(finder: machine.finder)
    }

    private func camera(
        _ id: String, path: String = "/dev/video0", place: String? = nil,
        authorization: AuthorizationStatus = .authorized
    ) -> FoundDevice {
        FoundDevice(
            uniqueID: id, path: path, place: place ?? id, lastingName: nil, name: id, modelID: "",
            authorization: authorization)
    }

    /// What is told from now on.
    private func changes() -> (stream: AsyncStream<DeviceChange>, observation: DeviceObservation) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceChange.self, bufferingPolicy: .bufferingNewest(64))
        return (stream, monitor.observe { continuation.yield($0) })
    }

    @Test("Nothing changed, nothing is told")
    func same() {
        #expect(DeviceChange.changes(from: [camera("a"), camera("b")], to: [camera("b"), camera("a")]).isEmpty)
        #expect(DeviceChange.changes(from: [], to: []).isEmpty)
    }

    @Test("What went is told before what came")
    func order() {
        #expect(
            DeviceChange.changes(from: [camera("a"), camera("b")], to: [camera("c"), camera("b")])
                == [.disconnected(camera("a")), .connected(camera("c"))])
    }

    @Test("A camera that has another node was away")
    func movedNode() {
        let moved = camera("a", path: "/dev/video1")
        #expect(
            DeviceChange.changes(from: [camera("a")], to: [moved]) == [.disconnected(camera("a")), .connected(moved)])
    }

    @Test("A camera that only has another unique id, since its duplicate came, neither came nor went")
    func otherName() {
        let old = camera("serial", place: "port-1")
        let new = camera("port-1")
        let duplicate = camera("port-2", path: "/dev/video1")
        #expect(DeviceChange.changes(from: [old], to: [new, duplicate]) == [.connected(duplicate)])
        #expect(DeviceChange.changes(from: [new, duplicate], to: [old]) == [.disconnected(duplicate)])
    }

    @Test("Another camera in the place and with the id of one that went is another")
    func exchanged() {
        var other = camera("a")
        other.lastingName = "usb-other"
        #expect(
            DeviceChange.changes(from: [camera("a")], to: [other]) == [.disconnected(camera("a")), .connected(other)])
    }

    @Test("A duplicate that comes and goes is told alone, and its camera goes by the id with which it came")
    func duplicates() async throws {
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        let (stream, observation) = changes()
        var told = stream.makeAsyncIterator()
        try machine.addUSBCamera(1, port: "1-2", serial: "SN1")
        guard case .connected(let duplicate) = await told.next() else {
            Issue.record("the duplicate was not told as connected")
            return
        }
        #expect(duplicate.path == "/dev/video1" && duplicate.uniqueID == "pci-0000:00:14.0-usb-0:2:1.0-video-index0")
        try machine.removeNode(0)
        guard case .disconnected(let first) = await told.next() else {
            Issue.record("the first was not told as disconnected")
            return
        }
        #expect(first.path == "/dev/video0" && first.uniqueID == "usb-046d_HD_Pro_Webcam_C920_SN1-video-index0")
        try machine.removeNode(1)
        guard case .disconnected(let last) = await told.next() else {
            Issue.record("the duplicate was not told as disconnected")
            return
        }
        #expect(last.path == duplicate.path && last.uniqueID == duplicate.uniqueID)
        withExtendedLifetime(observation) {}
    }

    @Test("While somebody watches, duplicates are seen by the monitor, and a session does not go on with the other one")
    func watchedDuplicates() throws {
        let finder = machine.finder
        let monitor = DeviceMonitor(finder: finder)
        try machine.addUSBCamera(0, port: "1-1", serial: "SN1")
        let camera = try #require(finder.devices.first)
        let watch = monitor.watch()
        try machine.addUSBCamera(1, port: "1-2", serial: "SN1")
        #expect(watch.waitForChange(until: .now + waitLimit, unless: CancellationToken()))
        try machine.removeNode(0)
        #expect(finder.path(of: camera) == nil)
    }

    @Test("A camera whose rights changed is told once more, and did not go")
    func rights() {
        let denied = camera("a", authorization: .denied)
        #expect(DeviceChange.changes(from: [denied], to: [camera("a")]) == [.connected(camera("a"))])
        #expect(DeviceChange.changes(from: [camera("a")], to: [denied]) == [.connected(denied)])
    }

    @Test("A camera that is plugged in and pulled is told, one that was there is not")
    func pluggedIn() async throws {
        try machine.addPlatformCamera(0, "vivid.0")
        let (stream, observation) = changes()
        var told = stream.makeAsyncIterator()
        try machine.addPlatformCamera(1, "vivid.1")
        guard case .connected(let camera) = await told.next() else {
            Issue.record("it was not told as connected")
            return
        }
        #expect(camera.uniqueID == "platform-vivid.1-video-index0" && camera.path == "/dev/video1")
        try machine.removeNode(1)
        #expect(await told.next() == .disconnected(camera))
        withExtendedLifetime(observation) {}
    }

    @Test("A node to which the right comes later is told when it has it")
    func lateRights() async throws {
        machine.probe.fail(
            "/dev/video0", ObscuraError(.capture, .notAuthorized, subject: "/dev/video0", reason: "no", errno: 13))
        let (stream, observation) = changes()
        var told = stream.makeAsyncIterator()
        try machine.addPlatformCamera(0, "vivid.0")
        machine.probe.set("/dev/video0", .camera())
        try machine.write("/dev/video0", "")
        var camera: FoundDevice?
        while camera?.authorization != .authorized, case .connected(let next) = await told.next() { camera = next }
        #expect(camera?.authorization == .authorized)
        withExtendedLifetime(observation) {}
    }

    @Test("Without a right the camera is told all the same, when patience has ended")
    func noRights() async throws {
        machine.probe.fail(
            "/dev/video0", ObscuraError(.capture, .notAuthorized, subject: "/dev/video0", reason: "no", errno: 13))
        let (stream, observation) = changes()
        var told = stream.makeAsyncIterator()
        try machine.addPlatformCamera(0, "vivid.0")
        guard case .connected(let camera) = await told.next() else {
            Issue.record("it was not told as connected")
            return
        }
        #expect(camera.authorization != .authorized)
        withExtendedLifetime(observation) {}
    }

    @Test("It runs while somebody listens, and begins again")
    func life() async throws {
        #expect(!monitor.isRunning)
        for number in 0..<3 {
            let (stream, observation) = changes()
            let watch = monitor.watch()
            #expect(monitor.isRunning)
            var told = stream.makeAsyncIterator()
            try machine.addPlatformCamera(number, "vivid.\(number)")
            guard case .connected(let camera) = await told.next() else { return }
            #expect(camera.path == "/dev/video\(number)")
            withExtendedLifetime((observation, watch)) {}
        }
        #expect(!monitor.isRunning)
    }

    @Test("A thread that waits for a change is woken by one, also by one that came before it waited")
    func watch() throws {
        let watch = monitor.watch()
        let cancellation = CancellationToken()
        try machine.addPlatformCamera(0, "vivid.0")
        while machine.finder.path(named: "platform-vivid.0-video-index0") == nil {
            #expect(watch.waitForChange(until: .now + waitLimit, unless: cancellation))
        }
        #expect(watch.waitForChange(until: .now + waitLimit, unless: cancellation))
        try machine.removeNode(0)
        #expect(watch.waitForChange(until: .now + waitLimit, unless: cancellation))
    }

    @Test("A wait ends with its deadline, and with its cancellation")
    func waitEnds() {
        let watch = monitor.watch()
        let cancellation = CancellationToken()
        #expect(!watch.waitForChange(until: .now, unless: cancellation))
        cancellation.cancel()
        #expect(!watch.waitForChange(until: .now + waitLimit, unless: cancellation))
    }

    @Test("A machine without a folder of devices is looked at now and then")
    func withoutDevices() async throws {
        try machine.remove("/dev")
        let (stream, observation) = changes()
        var told = stream.makeAsyncIterator()
        try machine.addPlatformCamera(0, "vivid.0")
        guard case .connected(let camera) = await told.next() else {
            Issue.record("it was not told as connected")
            return
        }
        #expect(camera.path == "/dev/video0")
        withExtendedLifetime(observation) {}
    }

    @Test("The kernel's own socket can be had, and is silent at first")
    func kernel() throws {
        let sources = try #require(ChangeSources(files: FileTree(), filter: machine.finder.eventFilter))
        #expect(sources.reportChanges)
        sources.stop()
        guard case .stopped = sources.wait(atMost: .seconds(30)) else {
            Issue.record("the eventFD did not end the wait")
            return
        }
    }
}
