// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A provider of the microphones of this machine.
///
/// The name of a microphone is `microphone:` followed by one of these:
/// - `default`, for the default microphone of libasound;
/// - the unique id of the microphone;
/// - a device node, such as `/dev/snd/pcmC0D0c`;
/// - a name of the sound card in `/dev/snd/by-id` or `/dev/snd/by-path`;
/// - a libasound name, such as `hw:0,0` or `hw:CARD=PCH`;
/// - the name of a PipeWire node, for a microphone that is used through PipeWire.
///
/// If a sound server (PipeWire or PulseAudio on a desktop) or the user has configured libasound's `default`, the
/// microphone `default` is the first in ``devices``. The microphones of the sound cards follow. The last devices are
/// those that only PipeWire provides: microphones of Bluetooth devices, sound of programs, and the sound that
/// PipeWire's sinks play.
public struct MicrophoneDeviceProvider: CaptureDeviceProvider {
    private let finder: MachineSoundFinder
    private let catalog: DeviceCatalog

    /// Returns a provider of the microphones of this machine. Create only one per process, because each provider uses a
    /// thread to monitor the microphones.
    ///
    /// - Parameter converters: the provider of converters for readers that request another audio format. If nil, such
    ///   readers fail.
    public static func machine(converters: (any AudioConverterProvider)?) -> MicrophoneDeviceProvider {
        let remote = PipeWireRemote.user
        let finder = MachineSoundFinder(kernel: SoundFinder(probe: ALSAProbe()), remote: remote)
        let catalog = DeviceCatalog(prefix: "microphone:", finder: finder) { device, monitor in
            guard let node = device.pipeWireNode else {
                return ALSADriver(device: device, finder: finder, monitor: monitor, converters: converters)
            }
            return PipeWireSoundDriver(
                device: device, node: node, finder: finder, monitor: monitor, remote: remote, converters: converters)
        }
        return MicrophoneDeviceProvider(finder: finder, catalog: catalog)
    }

    /// The connected microphones, the default microphone first. Reading the property connects to PipeWire, but opens no
    /// sound card.
    public var devices: [CaptureDevice] { catalog.devices }

    /// Returns the microphone with a name such as `microphone:default`; nil if the name does not begin with
    /// `microphone:`, or if no microphone has the name.
    public func device(named source: String) throws(ObscuraError) -> CaptureDevice? { catalog.device(named: source) }

    /// Calls `tell` for each microphone that is connected or disconnected, until the returned object is released.
    public func observe(_ tell: @escaping @Sendable (DeviceEvent) -> Void) -> (any AnyObject & Sendable)? {
        catalog.observe(tell)
    }

    /// The diagnosis of the microphones.
    package var findings: [Diagnosis.Finding] { finder.kernel.findings }
}
