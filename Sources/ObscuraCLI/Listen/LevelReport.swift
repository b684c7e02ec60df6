// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// What a run of `obscura listen` has heard.
struct LevelReport: Hashable {
    /// How long, by the samples that came.
    private(set) var duration = MediaTime.zero
    /// The form of the sound that came last; nil if none came.
    private(set) var format: AudioFormat?
    /// Sample frames that the device lost.
    var lost: UInt64 = 0

    mutating func add(_ sound: AudioBuffer) {
        duration = duration + sound.duration
        format = sound.format
    }

    var text: String {
        let seconds = NumberText.oneDecimal(duration.seconds)
        let form = format.map { " of \($0)" } ?? ""
        return "Heard \(seconds) s\(form); \(lost == 0 ? "nothing" : "\(lost) sample frames") lost by the device."
    }
}
