// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura
internal import ObscuraBase

/// Receives the sound of an ``AVCaptureAudioDataOutput``, on its queue and in order. The method has a default that does
/// nothing.
public protocol AVCaptureAudioDataOutputSampleBufferDelegate: NSObjectProtocol {
    /// Receives a buffer of sound.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureAudioDataOutputSampleBufferDelegate {
    /// The default: does nothing.
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}

/// An output that delivers the sound of a microphone to a delegate, in the format of the microphone or of
/// ``audioSettings``.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
    /// The highest sample rate of recommended settings, in hertz.
    private static let recommendedSampleRate = 48_000
    private static let logger = Logger(label: "obscura.avfoundation")

    private let audio: AudioDataOutput
    private let bridge = AudioDelegateBridge()

    /// Creates an output.
    public init() {
        audio = AudioDataOutput(name: "AVCaptureAudioDataOutput")
        super.init(audio)
        bridge.owner = self
    }

    /// Sets the delegate, which is not retained.
    ///
    /// - Parameters:
    ///   - delegate: receives the sound; nil for none.
    ///   - queue: the serial queue on which the delegate is called; nil for a queue of the output.
    public func setSampleBufferDelegate(
        _ delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
    ) {
        bridge.set(delegate, queue)
        audio.setDelegate(delegate == nil ? nil : bridge, queue: queue)
    }

    /// The delegate.
    public var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { bridge.delegate }
    /// The queue on which the delegate is called; nil for a queue of the output.
    public var sampleBufferCallbackQueue: DispatchQueue? { bridge.queue }

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The format of the sound, with the keys of uncompressed sound. Nil, the initial value, is the format of the
    /// microphone. If the rate or the number of channels is missing, that of the microphone is used, or of the default
    /// microphone if none is connected. If a value is not supported, nothing is changed, and an error is logged.
    public var audioSettings: [String: Any]! {
        get { audio.format.map(\.outputSettings) }
        set {
            guard let settings = newValue else { return audio.format = nil }
            do throws(ObscuraError) {
                audio.format = try SoundForm(settings).format(for: microphoneFormat)
            } catch {
                Self.logger.error("audioSettings: \(error)")
            }
        }
    }

    /// Returns settings for an `AVAssetWriterInput` that records the sound of this output: AAC with the same channels,
    /// at up to 48,000 hertz.
    ///
    /// - Returns: nil if there is no microphone, or the file type does not support AAC.
    public func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        guard [.mov, .mp4, .m4v, .m4a].contains(outputFileType), connection(with: .audio) != nil else { return nil }
        let format = audio.format ?? microphoneFormat
        return [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVNumberOfChannelsKey: format.channelCount,
            AVSampleRateKey: min(format.sampleRate, Self.recommendedSampleRate),
        ]
    }

    /// The format of the microphone; the usual one of 48,000 hertz and two channels if it is known only while it runs.
    private var microphoneFormat: AudioFormat {
        let microphone = sources[.audio]?.device ?? .default(for: .audio)
        return microphone?.device.audioFormats.first
            ?? AudioFormat(sampleType: .int16, sampleRate: 48_000, channelCount: 2)
    }
}

extension AudioFormat {
    /// The settings with the keys of uncompressed sound.
    fileprivate var outputSettings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channelCount,
            AVLinearPCMBitDepthKey: sampleType == .int16 ? 16 : 32, AVLinearPCMIsFloatKey: sampleType == .float32,
            AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: !isInterleaved,
        ]
    }
}

/// Passes the sound of an output to a delegate with Apple's types.
private final class AudioDelegateBridge: AudioDataOutputDelegate {
    /// `@unchecked Sendable` is safe as that of ``VideoDelegateBridge``.
    private struct State: @unchecked Sendable {
        weak var owner: AVCaptureAudioDataOutput?
        weak var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var format: CMFormatDescription?
    }

    private let state = Lock(State())

    var owner: AVCaptureAudioDataOutput? {
        get { state.withLock { $0 }.owner }
        set { state.withLock { $0.owner = newValue } }
    }
    var delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { state.withLock { $0 }.delegate }
    var queue: DispatchQueue? { state.withLock { $0.queue } }

    func set(_ delegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?, _ queue: DispatchQueue?) {
        state.withLock { state in
            state.delegate = delegate
            state.queue = queue
        }
    }

    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
        let state = state.withLock { $0 }
        guard let owner = state.owner, let delegate = state.delegate else { return }
        let sample = CMSampleBuffer(sound, format(of: sound))
        delegate.captureOutput(owner, didOutput: sample, from: owner.connection(connection))
    }

    private func format(of sound: AudioBuffer) -> CMFormatDescription {
        state.withLock { state in
            let format = CMFormatDescription.of(sound, last: state.format)
            state.format = format
            return format
        }
    }
}
