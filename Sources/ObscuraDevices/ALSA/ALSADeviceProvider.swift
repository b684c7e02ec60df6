// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A provider of the microphones of this machine. A name is `microphone:` followed by a unique id, by `default`, by a
/// device node such as `/dev/snd/pcmC0D0c`, by a udev name of the sound card, or by a libasound name (`hw:0,0`,
/// `hw:CARD=PCH`).
///
/// The first microphone is libasound's `default`, if a sound server (PipeWire or PulseAudio on a desktop) or the user
/// has configured it. The other microphones are the kernel's sound cards.
public struct ALSADeviceProvider: CaptureDeviceProvider {
    private let finder: SoundFinder
    private let catalog: DeviceCatalog

    /// Returns the microphones of this machine. Create one provider per process: one thread monitors all microphones.
    ///
    /// - Parameter converters: the audio converters for readers that request another format; with nil such readers
    ///   fail.
    public static func machine(converters: (any AudioConverterProvider)?) -> ALSADeviceProvider {
        let finder = SoundFinder(probe: ALSAProbe())
        let catalog = DeviceCatalog(prefix: "microphone:", finder: finder) { device, monitor in
            ALSADriver(device: device, finder: finder, monitor: monitor, converters: converters)
        }
        return ALSADeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected microphones, the default microphone first. Reading the property opens no sound card.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the microphone with a name such as `microphone:default`; nil for a name of another kind, or if no
    /// microphone has the name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Reports connected and disconnected microphones until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the microphones.
    package var findings: [Diagnosis.Finding] { finder.findings }
}
