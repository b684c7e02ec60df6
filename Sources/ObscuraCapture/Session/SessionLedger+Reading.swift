// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension SessionLedger.Input {
    init(_ source: CaptureSource, isRunning: Bool) {
        let counts = source.counts
        self.isRunning = isRunning
        device = source.input.device.localizedName
        received = counts.received
        gaps = counts.gaps
        lost = counts.lost
        copied = counts.copied
        pool = source.images.counts
        (encodedFrames, encodedAudioPackets) = source.encodedCounts
        let sound = source.audioCounts
        audio = SessionLedger.Audio(
            received: sound.received, sampleFrames: sound.sampleFrames, overruns: sound.overruns, lost: sound.lost,
            clockDrift: sound.clockDrift)
    }
}

extension SessionLedger.Reader {
    init(_ reader: any ConnectionReader, of connection: CaptureConnection, isAttached: Bool) {
        let holdings = reader.holdings
        name = reader.name
        output = connection.outputName
        mediaType = connection.mediaType
        self.isAttached = isAttached
        frames = reader.ledger
        held = holdings.count
        heldFor = holdings.oldest.map { .now - $0 }
        stages = reader.stages.statistics
    }
}
