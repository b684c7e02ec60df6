// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

@Suite("Changes among the cameras of PipeWire", .pipeWireSession, .hangLimit)
struct PipeWireMonitorTests {
    private func word(_ change: DeviceChange) -> String {
        switch change {
        case .connected(let device): "+\(device.uniqueID)"
        case .disconnected(let device): "-\(device.uniqueID)"
        }
    }

    @Test("Cameras that appear and disappear are reported, also those of a daemon that was started again")
    func changes() async throws {
        let session = try await PipeWireSession()
        let monitor = DeviceMonitor(finder: session.finder(kernel: try FakeMachine()))
        let changes = Lock<[String]>([])
        let observation = monitor.observe { change in changes.withLock { $0.append(word(change)) } }
        let first = try await session.camera(name: "first")
        #expect(await becomes { changes.withLock { $0 } == ["+first"] })
        await first.unplug()
        #expect(await becomes { changes.withLock { $0 } == ["+first", "-first"] })
        let second = try await session.camera(name: "second")
        #expect(await becomes { changes.withLock { $0.last } == "+second" })
        session.restart()
        #expect(await becomes { changes.withLock { $0.last } == "-second" })
        await second.unplug()
        _ = await becomes { session.remote.isAvailable() && (try? PipeWireGraph(session.remote).objects()) != nil }
        let third = try await session.camera(name: "third")
        #expect(await becomes { changes.withLock { $0.last } == "+third" })
        withExtendedLifetime((observation, third)) {}
    }

    @Test("Cameras that the portal shows only later are reported, though nothing tells of it")
    func portal() async throws {
        let session = try await PipeWireSession.shared
        let camera = try await session.camera()
        let isGranted = Lock(false)
        let direct = session.remote
        let remote = PipeWireRemote(
            open: { () throws(ObscuraError) -> Int32 in try direct.open() },
            isAvailable: { isGranted.withLock { $0 } }, isPortal: { true })
        let machine = try FakeMachine()
        let monitor = DeviceMonitor(finder: MachineCameraFinder(kernel: machine.finder, remote: remote))
        let changes = Lock<[String]>([])
        let observation = monitor.observe { change in changes.withLock { $0.append(word(change)) } }
        isGranted.withLock { $0 = true }
        #expect(await becomes { changes.withLock { $0.contains("+\(camera.name)") } })
        withExtendedLifetime((observation, machine)) {}
    }
}
