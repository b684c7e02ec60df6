// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// One broadcast of a ``BroadcastOutput``, from its first frame to its end.
///
/// Pictures and sound come on a queue each, and wait there a little while the encoder is behind; what comes meanwhile
/// waits in the mailboxes of the two outputs, and is left out, and counted, when there is more than these hold.
final class BroadcastRun: Sendable {
    /// How long a frame waits for the encoder.
    private static let encoderPatience = Duration.seconds(1)

    private let writer: BroadcastWriter
    private let pictures: VideoDataOutput?
    private let sound: AudioDataOutput?
    private let isLive: Bool

    init(_ writer: BroadcastWriter, pictures: VideoDataOutput?, sound: AudioDataOutput?) {
        self.writer = writer
        self.pictures = pictures
        self.sound = sound
        let input = pictures?.connection.input ?? sound?.connection.input
        isLive = input?.device.driver.isLive ?? true
    }

    /// Takes what comes from now on.
    func begin() {
        // A film that is read as fast as it goes waits for the encoder; a camera does not wait for anybody.
        pictures?.lateFrames = isLive ? .bounded(32) : .lossless
        sound?.lateBuffers = isLive ? .bounded(1024) : .lossless(64)
        pictures?.setDelegate(self)
        sound?.setDelegate(self)
    }

    var statistics: BroadcastStatistics { writer.statistics }

    nonisolated(nonsending) func stop() async -> BroadcastStatistics {
        leave()
        return await writer.finish()
    }

    /// Nothing more comes.
    ///
    /// - Parameter error: what the camera or the film failed with.
    func sessionStopped(with error: ObscuraError? = nil) {
        leave()
        writer.finishByItself(
            because: error.map {
                ObscuraError(
                    .broadcast, .sourceFailed, subject: $0.subject, reason: $0.reason, remedy: $0.remedy)
            })
    }

    /// Takes nothing more.
    func leave() {
        pictures?.setDelegate(nil)
        sound?.setDelegate(nil)
    }
}

extension BroadcastRun: VideoDataOutputDelegate, AudioDataOutputDelegate {
    func output(_ output: VideoDataOutput, didOutput frame: VideoFrame, from connection: CaptureConnection) {
        var frame = frame
        // Picture and sound of live sources belong together by the machine's clock.
        if isLive { frame.presentationTime = frame.hostTime.mediaTime }
        // What has ended the broadcast was announced when it happened.
        _ = try? writer.appendBlocking(frame, until: .now + Self.encoderPatience)
    }

    func output(_ output: VideoDataOutput, didFinishWith error: ObscuraError?) {
        sessionStopped(with: error)
    }

    func output(_ output: AudioDataOutput, didOutput sound: AudioBuffer, from connection: CaptureConnection) {
        var sound = sound
        if isLive { sound.presentationTime = sound.hostTime.mediaTime }
        _ = try? writer.appendBlocking(sound, until: .now + Self.encoderPatience)
    }

    func output(_ output: AudioDataOutput, didFinishWith error: ObscuraError?) {
        if pictures == nil { sessionStopped(with: error) }
    }
}
