// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// The devices that a Studio offers, and the lookup of devices by name. All functions may block.
package struct StudioDevices: Sendable {
    /// Returns the cameras or the microphones of the machine, the default one first.
    package var list: @Sendable (MediaType) -> [CaptureDevice]
    /// Returns the devices that are built into Obscura.
    package var builtIn: @Sendable (MediaType) -> [CaptureDevice]
    /// Returns the device for the name of a source.
    package var named: @Sendable (String) throws -> CaptureDevice
    /// Returns the events of devices that are connected or disconnected.
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

    /// The devices of this machine. Files and network streams are read in real time.
    static let machine = machine(trust: .system)

    /// - Parameter trust: the verification of server certificates for sources that are read over TLS.
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

    /// Threads for listing, opening, reading and setting devices.
    private static let worker = WorkerPool(name: "studio", threads: 4)

    /// Runs a blocking operation on a worker thread, and suspends until it is done.
    func onWorker<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await Self.worker.run { Result { try body() } }.get()
    }

    /// Returns the listed device with this id; a request cannot select any other.
    func device(_ id: String, _ mediaType: MediaType) throws(ObscuraError) -> CaptureDevice {
        guard let device = (list(mediaType) + builtIn(mediaType)).first(where: { $0.uniqueID == id }) else {
            throw ObscuraError(
                .studio, .noSuchDevice, subject: "\(mediaType == .video ? "camera" : "microphone") \"\(id)\"",
                reason: "no device of this machine has this id",
                advice: "Choose a device from the list; the device may have been unplugged.")
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
