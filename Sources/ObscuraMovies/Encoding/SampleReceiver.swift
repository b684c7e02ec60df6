// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The run of a recording or a broadcast, which receives the samples of a ``SampleSource``.
package protocol SampleReceiver: VideoDataOutputDelegate, AudioDataOutputDelegate, EncodedMediaDelegate {
    var source: SampleSource { get }
    /// Receives a sample; blocks while the encoder is behind.
    func receive(_ sample: MediaSample, of track: SampleTrack)
    /// Called when the source of a track has ended (nil) or failed; no more samples follow.
    func sourceEnded(_ track: SampleTrack, _ error: ObscuraError?)
}

extension SampleReceiver {
    package func output(
        _ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection
    ) {
        take(.video(frame), from: output)
    }

    package func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) { ended(output, error) }

    package func output(
        _ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection
    ) {
        take(.audio(sound), from: output)
    }

    package func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) { ended(output, error) }

    package func output(_ output: VideoDataOutput, didOutput frame: EncodedFrame) {
        take(.encodedVideo(frame), from: output)
    }

    package func output(_ output: AudioDataOutput, didOutput packet: EncodedAudio) {
        take(.encodedAudio(packet), from: output)
    }

    private func take(_ sample: MediaSample, from output: CaptureOutput) {
        guard let track = source.track(of: output) else { return }
        receive(source.isLive ? sample.atHostTime : sample, of: track)
    }

    private func ended(_ output: CaptureOutput, _ error: ObscuraError?) {
        if let track = source.track(of: output) { sourceEnded(track, error) }
    }
}
