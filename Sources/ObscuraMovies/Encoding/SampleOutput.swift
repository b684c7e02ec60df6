// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture

/// The data output from which a track comes.
struct SampleOutput: Sendable {
    enum Kind: Sendable {
        case video(VideoDataOutput)
        case audio(AudioDataOutput)
    }

    var track: SampleTrack
    let kind: Kind

    init(_ track: SampleTrack, name: String) {
        self.track = track
        // The encoder retains frames while it works.
        kind =
            track.isVideo
            ? .video(VideoDataOutput(name: name, leaseLimit: 16)) : .audio(AudioDataOutput(name: "\(name) sound"))
    }

    var output: CaptureOutput {
        switch kind {
        case .video(let output): output
        case .audio(let output): output
        }
    }

    var connection: CaptureConnection {
        switch kind {
        case .video(let output): output.connection
        case .audio(let output): output.connection
        }
    }

    var isConnected: Bool { connection.isEnabled && connection.input != nil }

    /// Delivers all samples from now on to the receiver, which is not retained.
    ///
    /// - Parameter gathering: the timer at which copied samples are delivered; nil delivers each immediately.
    func begin(
        _ receiver: some VideoDataOutputDelegate & AudioDataOutputDelegate & EncodedMediaDelegate, isLive: Bool,
        isCopied: Bool, gathering: GatheringTimer?
    ) {
        switch kind {
        case .video(let output):
            // It waits for the encoder; a camera does not wait. A copy has room for ten seconds of small frames, since a disk
            // that is busy for a while must not cost a group of pictures.
            output.latePolicy = isLive ? .bounded(isCopied ? 300 : 32) : .lossless
            if isCopied {
                output.setEncodedDelegate(receiver, gathering: gathering)
            } else {
                output.setDelegate(receiver)
            }
        case .audio(let output):
            output.latePolicy = isLive ? .bounded(1024) : .lossless(64)
            if isCopied {
                output.setEncodedDelegate(receiver, gathering: gathering)
            } else {
                output.setDelegate(receiver)
            }
        }
    }

    /// Stops delivering samples to the receiver.
    func end() {
        switch kind {
        case .video(let output): output.setDelegate(nil)
        case .audio(let output): output.setDelegate(nil)
        }
    }
}
