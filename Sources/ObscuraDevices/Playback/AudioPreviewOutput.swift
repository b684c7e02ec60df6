// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
internal import ObscuraMedia

/// An output that plays the audio of a session on a sound card or a sound server.
///
/// ```swift
/// let preview = AudioPreviewOutput()
/// preview.volume = 0.5
/// try await session.configure { try $0.addOutput(preview) }
/// ```
///
/// Audio is played through ALSA, whose device `default` is PipeWire or PulseAudio on a desktop. The device is opened
/// when the first audio arrives, and closed when the session stops or no audio has arrived for 3 s. A missing device
/// does not affect the session: the failure is reported in ``events``, and the device is opened as soon as it is
/// available.
///
/// The output delays playback by ``latency``. If the queue contains audio for more than twice this duration, the oldest
/// audio is dropped. This happens after a pause of the process, or if the source is faster than the sound card. If the
/// device runs out of audio, playback pauses until the queue contains audio for the duration ``latency``.
/// ``statistics`` counts dropped audio and pauses. A source that is read faster than real time cannot be played.
///
/// A microphone near the loudspeaker causes feedback: use headphones, or a low ``volume``.
///
/// Thread-safe.
public final class AudioPreviewOutput: CaptureOutput, @unchecked Sendable {  // Its properties are constants.
    /// The playback device.
    public let device: String
    /// The intended delay of playback. The audio of a microphone is also delayed by the length of its buffers, 10 to 40
    /// ms.
    public let latency: Duration

    private let sound: AudioDataOutput
    let player: AudioPlayer
    private let listeners: EventListeners<AudioPreviewEvent>

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - name: the name in statistics and messages.
    ///   - device: the playback device: a name of ALSA such as `default`, `plughw:CARD=PCH` or `null`, or a device node
    ///     such as `/dev/snd/pcmC0D0p`.
    ///   - latency: the delay of playback; 20 ms to 2 s. On a busy machine, a short delay is more likely to cause
    ///     interruptions.
    public init(name: String = "audio preview", device: String = "default", latency: Duration = .milliseconds(80)) {
        let listeners = EventListeners<AudioPreviewEvent>()
        let sound = AudioDataOutput(name: name)
        self.listeners = listeners
        self.sound = sound
        self.device = device
        self.latency = min(max(latency, .milliseconds(20)), .seconds(2))
        player = AudioPlayer(
            name: name, device: device, latency: self.latency, onEvent: { listeners.send($0) },
            onFormat: { [weak sound] in sound?.format = $0 })
        super.init(name: name, parts: [sound])
        sound.setDelegate(player)
    }

    deinit {
        player.stop()
    }

    /// The connection to a microphone or another source of audio, with the volume and the level of each channel.
    public var connection: CaptureConnection { sound.connection }

    /// The volume from 0 (silent) to 1 (unchanged), multiplied by the volume of each channel of ``connection``. A
    /// change is audible after about the ``latency``.
    public var volume: Float {
        get { player.volume }
        set { player.volume = newValue }
    }

    /// The statistics since the creation of the output.
    public var statistics: AudioPreviewStatistics { player.statistics }

    /// Whether the device is open, or being opened.
    public var isPlaying: Bool { player.isRunning }

    /// A new stream of the events of this output, beginning at the time of access. The stream buffers 64 unread events;
    /// if there are more, the oldest are lost.
    public var events: AsyncStream<AudioPreviewEvent> { listeners.makeStream() }
}

extension AudioPreviewOutput: CompositeOutput {
    package func partsDidStop() { player.stop() }
}
