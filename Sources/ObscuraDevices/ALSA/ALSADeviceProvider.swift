// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// The machine's microphones, listed or by name: `microphone:` and a unique id, `default`, a node such as
/// `/dev/snd/pcmC0D0c`, a name that udev gives its card, or libasound's name (`hw:0,0`, `hw:CARD=PCH`).
///
/// The first one is libasound's `default`, if a sound server or the user has configured it: on a desktop, PipeWire or
/// PulseAudio. The others are the kernel's sound cards.
public struct ALSADeviceProvider: CaptureDeviceProvider {
    private let finder: SoundFinder
    private let catalog: DeviceCatalog

    /// Returns the microphones of this machine. Create one provider per process: one thread monitors all microphones.
    ///
    /// - Parameter converters: for readers that request another audio format; nil if there are none.
    public static func machine(converters: (any AudioConverterProvider)?) -> ALSADeviceProvider {
        let finder = SoundFinder(probe: ALSAProbe())
        let catalog = DeviceCatalog(prefix: "microphone:", finder: finder) { device, monitor in
            ALSADriver(device: device, finder: finder, monitor: monitor, converters: converters)
        }
        return ALSADeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected microphones, the default one first. Opens no sound card.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the microphone with the name of a source; nil for another name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Reports connected and disconnected microphones until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the microphones.
    package var findings: [Diagnosis.Finding] { finder.findings }
}
