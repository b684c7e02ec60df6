// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The results of a run of `obscura listen`.
struct LevelReport: Hashable {
    /// The duration, computed from the number of samples received.
    private(set) var duration = MediaTime.zero
    /// The format of the last sound received; nil if none was received.
    private(set) var format: AudioFormat?
    /// The number of sample frames that the device lost.
    var lost: UInt64 = 0

    mutating func add(_ sound: AudioBuffer) {
        duration = duration + sound.duration
        format = sound.format
    }

    var text: String {
        let seconds = NumberText.oneDecimal(duration.seconds)
        let form = format.map { " of \($0)" } ?? ""
        return "Received \(seconds) s\(form); \(lost == 0 ? "nothing" : "\(lost) sample frames") lost by the device."
    }
}
