// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

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

/// An output that delivers the sound of a microphone to a delegate, in the format of the microphone.
public final class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {  // Its properties are Sendable.
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
    ///   - queue: the serial queue on which it is called; nil for a queue of the output.
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
