// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraDrivers
import ObscuraMedia
import TestSupport
import Testing

@testable import Obscura

/// Cameras of a machine that a test makes up.
private final class FakeProvider: CaptureDeviceProvider {
    let devices: [CaptureDevice]
    private let tellers = Lock<[Int: @Sendable (DeviceEvent) -> Void]>([:])

    init(_ devices: [CaptureDevice]) {
        self.devices = devices
    }

    func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        devices.first { source == "camera:\($0.uniqueID)" }
    }

    var listenerCount: Int { tellers.withLock { $0.count } }

    func tell(_ event: DeviceEvent) {
        for tell in tellers.withLock({ Array($0.values) }) { tell(event) }
    }

    func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        final class Observation: Sendable {
            let leave: @Sendable () -> Void
            init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }
            deinit { leave() }
        }
        let id = tellers.withLock { tellers in
            tellers[tellers.count] = tell
            return tellers.count - 1
        }
        return Observation { [weak self] in _ = self?.tellers.withLock { $0.removeValue(forKey: id) } }
    }
}

/// How cameras are named, found and told of.
@Suite(.hangLimit) struct CameraNamingTests {
    private static func camera(_ name: String, _ position: CaptureDevice.Position = .unspecified) -> CaptureDevice {
        CaptureDevice(driver: ReplayDriver(name: name, position: position, formats: [], script: []))
    }

    private func name(_ name: String, _ devices: CaptureDevice...) throws(ObscuraError) -> String {
        try CaptureDevice.camera(named: name, among: [FakeProvider(devices)]).uniqueID
    }

    @Test("Without more the first camera is meant, with a position the first that looks there")
    func positions() throws {
        let devices = [Self.camera("a"), Self.camera("b", .back), Self.camera("c", .front), Self.camera("d", .back)]
        let providers = [FakeProvider(devices)]
        let found = { (name: String) in try CaptureDevice.camera(named: name, among: providers).uniqueID }
        #expect(try found("") == "replay:a" && found("unspecified") == "replay:a")
        #expect(try found("back") == "replay:b" && found("front") == "replay:c")
        let session = CaptureDevice.DiscoverySession(position: .back, providers: providers)
        #expect(session.devices.map(\.uniqueID) == ["replay:b", "replay:d"])
    }

    @Test("Only the kinds that were asked for are listed")
    func types() {
        let providers = [FakeProvider([Self.camera("a")])]
        let session = { CaptureDevice.DiscoverySession(deviceTypes: $0, providers: providers) }
        #expect(session([.virtual]).devices.count == 1)
        #expect(session([.camera, .external]).devices.isEmpty && session([]).devices.isEmpty)
    }

    @Test("The error for a name that nothing has lists what there is")
    func unknown() {
        let devices = (1...7).map { Self.camera("\($0)") }
        let error = #expect(throws: ObscuraError.self) {
            try CaptureDevice.camera(named: "usb-x", among: [FakeProvider(devices)])
        }
        #expect(error?.code == .noSuchDevice && error?.subject == "camera:usb-x")
        #expect(error?.reason.contains("camera:replay:1 (Replay (1)), camera:replay:2") == true)
        #expect(error?.reason.hasSuffix("and 2 more") == true)
    }

    @Test("The error for a position where none looks says how to set it")
    func noPosition() {
        let error = #expect(throws: ObscuraError.self) { try name("front", Self.camera("a", .back), Self.camera("b")) }
        #expect(error?.code == .noSuchDevice)
        #expect(error?.remedy == .setPosition(device: "replay:a", position: "front"))
    }

    @Test("Without a camera that is said, and not that a position is missing", arguments: ["", "front", "usb-x"])
    func noCamera(asked: String) {
        let error = #expect(throws: ObscuraError.self) { try name(asked) }
        #expect(error?.code == .noSuchDevice && error?.remedy == .diagnose)
    }

    @Test("Events of all kinds of cameras come in one stream, and a stream that is let go is left")
    func events() async {
        let providers = [FakeProvider([]), FakeProvider([])]
        let camera = Self.camera("a")
        var told: [DeviceEvent] = []
        do {
            let events = CaptureDevice.events(of: providers)
            #expect(providers.map(\.listenerCount) == [1, 1])
            providers[0].tell(.connected(camera))
            providers[1].tell(.disconnected(camera))
            for await event in events {
                told.append(event)
                if told.count == 2 { break }
            }
        }
        #expect(told == [.connected(camera), .disconnected(camera)])
        #expect(providers.map(\.listenerCount) == [0, 0])
    }

    @Test("A missing decoder is a problem with advice; those of this machine are there")
    func decoders() {
        let findings = Diagnosis.decoders { $0 != .h264 }
        #expect(findings.map(\.level) == [.problem] && findings.first?.finding.contains("h264") == true)
        #expect(Diagnosis.decoders { _ in true }.isEmpty)
        #expect(FFmpegDecoders.canDecode(.mjpeg) && FFmpegDecoders.canDecode(.i420))
    }

    @Test("Who may not use a camera is told what its driver advises")
    func advice() {
        struct Denied: CaptureDriver {
            let uniqueID = "denied"
            let localizedName = "Denied"
            let formats: [VideoFormat] = []
            let authorizationStatus = AuthorizationStatus.denied
            let accessRemedy: Remedy? = .joinGroup("cameras")

            func makeRun(
                _ request: RunRequest, sink: any CaptureSink, clock: any CaptureClock
            ) -> any CaptureRun {
                ReplayDriver(formats: [], script: []).makeRun(request, sink: sink, clock: clock)
            }
        }
        let error = #expect(throws: ObscuraError.self) {
            try CaptureDeviceInput(device: CaptureDevice(driver: Denied()))
        }
        #expect(error?.code == .notAuthorized && error?.remedy == .joinGroup("cameras"))
    }
}
