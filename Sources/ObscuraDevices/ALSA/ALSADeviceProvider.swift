// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// The machine's microphones, by discovery or by name: `microphone:` and a unique id, `default`, a node such as
/// `/dev/snd/pcmC0D0c`, one of udev's names for its card, or libasound's (`hw:0,0`, `hw:CARD=PCH`).
///
/// First of them is what libasound calls `default`, where a sound server or the user has set it up: on a desktop that
/// is PipeWire or PulseAudio. The others are the sound cards of the kernel.
public struct ALSADeviceProvider: CaptureDeviceProvider {
    private let finder: SoundFinder
    private let monitor: DeviceMonitor<SoundFinder>
    private let makeDriver: @Sendable (FoundMicrophone) -> any CaptureDriver

    /// - Parameters:
    ///   - finder: looks at the machine.
    ///   - monitor: tells of what comes and goes; of the same machine.
    ///   - makeDriver: makes what runs a microphone.
    package init(
        finder: SoundFinder, monitor: DeviceMonitor<SoundFinder>,
        makeDriver: @escaping @Sendable (FoundMicrophone) -> any CaptureDriver
    ) {
        self.finder = finder
        self.monitor = monitor
        self.makeDriver = makeDriver
    }

    /// The microphones of this machine. Make one for a process: one thread watches the machine for all.
    ///
    /// - Parameter converters: for readers that want the sound in another form; nil gives them none.
    public static func machine(converters: (any AudioConverterProvider)?) -> ALSADeviceProvider {
        let finder = SoundFinder(probe: ALSAProbe())
        let monitor = DeviceMonitor(finder: finder)
        return ALSADeviceProvider(finder: finder, monitor: monitor) { microphone in
            ALSADriver(microphone: microphone, finder: finder, monitor: monitor, converters: converters)
        }
    }

    /// The microphones at this moment, the default one first. Opens no sound card.
    public var devices: [CaptureDevice] { finder.microphones.map(device) }

    /// The microphone that `source` names, if it is one of these.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? {
        guard source.hasPrefix("microphone:") else { return nil }
        return finder.microphone(named: String(source.dropFirst("microphone:".count))).map(device)
    }

    /// Tells of microphones that come and go.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        monitor.observe { [makeDriver] change in
            switch change {
            case .connected(let found): tell(.connected(CaptureDevice(driver: makeDriver(found))))
            case .disconnected(let found): tell(.disconnected(CaptureDevice(driver: makeDriver(found))))
            }
        }
    }

    /// What there is to say of these microphones.
    package var findings: [Diagnosis.Finding] { finder.findings }

    private func device(_ microphone: FoundMicrophone) -> CaptureDevice {
        CaptureDevice(driver: makeDriver(microphone))
    }
}
