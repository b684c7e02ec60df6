// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// Microphones come and go.
@Suite(.hangLimit) struct SoundMonitorTests {
    @Test(
        "The first card of a machine is told, though its folder in /dev was not there; so are its going and another's")
    func comeAndGo() async throws {
        let machine = try FakeMachine()
        let monitor = DeviceMonitor(finder: machine.soundFinder)
        let (stream, continuation) = AsyncStream.makeStream(
            of: DeviceChange.self, bufferingPolicy: .bufferingNewest(64))
        let observation = monitor.observe { continuation.yield($0) }
        var told = stream.makeAsyncIterator()
        let place = try machine.addUSBMicrophone(0, port: "1-1", serial: "S1")
        guard case .connected(let first) = await told.next() else {
            Issue.record("the first was not told as connected")
            return
        }
        #expect(first.path == "/dev/snd/pcmC0D0c" && first.name == "Blue Yeti")
        try machine.removeCard(0, of: place)
        #expect(await told.next() == .disconnected(first))
        // The folder is watched by now, and /dev itself stays as it is.
        _ = try machine.addPCICard(1)
        guard case .connected(let second) = await told.next() else {
            Issue.record("the second was not told as connected")
            return
        }
        #expect(second.path == "/dev/snd/pcmC1D0c")
        withExtendedLifetime(observation) {}
    }
}
