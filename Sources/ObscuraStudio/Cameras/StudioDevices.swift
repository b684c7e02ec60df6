// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// The devices that a Studio offers, and how a name becomes one. Listing may block.
package struct StudioDevices: Sendable {
    /// The cameras or the microphones of the machine, the default one first.
    package var list: @Sendable (MediaType) -> [CaptureDevice]
    /// Those that come with Obscura.
    package var builtIn: @Sendable (MediaType) -> [CaptureDevice]
    /// What a source's name stands for.
    package var named: @Sendable (String) throws -> CaptureDevice
    /// What comes and goes.
    package var events: @Sendable () -> AsyncStream<DeviceEvent>

    package init(
        list: @escaping @Sendable (MediaType) -> [CaptureDevice],
        builtIn: @escaping @Sendable (MediaType) -> [CaptureDevice],
        named: @escaping @Sendable (String) throws -> CaptureDevice,
        events: @escaping @Sendable () -> AsyncStream<DeviceEvent>
    ) {
        self.list = list
        self.builtIn = builtIn
        self.named = named
        self.events = events
    }

    /// Those of this machine. Films and addresses are shown at their own speed.
    static let machine = machine(trust: .system)

    /// - Parameter trust: whose certificates an address may have.
    static func machine(trust: ServerTrust) -> StudioDevices {
        StudioDevices(
            list: { CaptureDevice.DiscoverySession(mediaType: $0).devices },
            builtIn: { CaptureDevice.DiscoverySession(mediaType: $0).builtIn },
            named: { name in
                var reading = MovieReadingOptions()
                reading.pace = .realTime
                reading.trust = trust
                return try CaptureDevice.named(name, reading: reading)
            },
            events: { CaptureDevice.events })
    }

    /// Devices are listed, opened, read and set here.
    private static let worker = WorkerPool(name: "studio", threads: 4)

    /// Runs what may block, and suspends until it is done.
    func onWorker<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await Self.worker.run { Result { try body() } }.get()
    }

    /// The device with this id among those that are listed: a request can name no other.
    func device(_ id: String, _ mediaType: MediaType) throws(ObscuraError) -> CaptureDevice {
        guard let device = (list(mediaType) + builtIn(mediaType)).first(where: { $0.uniqueID == id }) else {
            throw ObscuraError(
                .studio, .noSuchDevice, subject: mediaType == .video ? "camera" : "microphone",
                reason: "none of this machine has this id",
                advice: "Choose one of the list; it may have been unplugged.")
        }
        return device
    }

    var description: DeviceLists {
        func describe(_ mediaType: MediaType, _ kind: DeviceDescription.Kind) -> [DeviceDescription] {
            list(mediaType).map { DeviceDescription($0, kind: kind, isBuiltIn: false) }
                + builtIn(mediaType).map { DeviceDescription($0, kind: kind, isBuiltIn: true) }
        }
        return DeviceLists(cameras: describe(.video, .camera), microphones: describe(.audio, .microphone))
    }
}
