// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// What a broadcast consists of; known once the first picture is encoded.
struct BroadcastStreams: Sendable {
    /// Pictures first, if there are any.
    let streams: [OutputStream]
    let hasVideo: Bool
    /// Nil without pictures.
    let video: VideoParameters?

    /// Nil without sound.
    var sound: CodecParameters? { index(isVideo: false).map { streams[$0].parameters } }

    /// The place of pictures, or of sound, among the streams; nil for what is not sent.
    func index(isVideo: Bool) -> Int? {
        if isVideo { return hasVideo ? 0 : nil }
        let index = hasVideo ? 1 : 0
        return index < streams.count ? index : nil
    }
}
