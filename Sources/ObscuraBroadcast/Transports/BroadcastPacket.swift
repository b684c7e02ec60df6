// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A compressed picture, or a piece of sound, on its way to every destination.
///
/// A value, so that each destination's thread has its own: the bytes are shared until somebody changes them.
struct BroadcastPacket: Sendable, Hashable {
    let isVideo: Bool
    /// H.264 as a byte stream with start codes (Annex B), without parameter sets; AAC as raw access units.
    let bytes: [UInt8]
    /// When it is to be shown, counted from the beginning of the broadcast, in units of ``timescale``. No picture
    /// refers to a later one, so it is also when it is to be decoded.
    let units: Int64
    /// Units a second.
    let timescale: Int32
    let duration: Int64
    /// Whether playing can begin with it. Each piece of sound is such.
    let isKey: Bool
    /// When the camera took it; of sound, when it came.
    let hostTime: HostTime

    /// Its bytes, with the parameter sets before a key frame of pictures: for whoever joins with it.
    func bytes(repeating sets: [UInt8]) -> [UInt8] { isVideo && isKey && !sets.isEmpty ? sets + bytes : bytes }

    /// How long it lasts.
    var length: MediaTime { MediaTime(value: duration, timescale: timescale) }
    var time: MediaTime { MediaTime(value: units, timescale: timescale) }
}
