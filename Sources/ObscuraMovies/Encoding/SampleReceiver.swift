// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The run of a recording or a broadcast, which receives the samples of a ``SampleSource``.
package protocol SampleReceiver: VideoDataOutputDelegate, AudioDataOutputDelegate, EncodedMediaDelegate {
    var source: SampleSource { get }
    /// Receives a sample; blocks while the encoder is behind.
    func receive(_ sample: MediaSample)
    /// Called when a source of this media type has ended (nil) or failed; no more samples follow.
    func sourceEnded(_ mediaType: MediaType, _ error: ObscuraError?)
}

extension SampleReceiver {
    package func output(
        _ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
    ) {
        take(.video(frame))
    }

    package func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) { sourceEnded(.video, error) }

    package func output(
        _ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection
    ) {
        take(.audio(sound))
    }

    package func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) { sourceEnded(.audio, error) }

    package func output(_ output: VideoDataOutput, didOutput frame: EncodedFrame) { take(.encodedVideo(frame)) }

    package func output(_ output: AudioDataOutput, didOutput packet: EncodedAudio) { take(.encodedAudio(packet)) }

    private func take(_ sample: MediaSample) { receive(source.isLive ? sample.atHostTime : sample) }
}
