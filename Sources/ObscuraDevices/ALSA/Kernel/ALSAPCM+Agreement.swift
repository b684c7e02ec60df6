// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraCapture
internal import ObscuraMedia

/// What a PCM and its reader have agreed upon.
struct ALSAAgreement: Sendable, Hashable {
    /// What comes out of it.
    let format: AudioFormat
    /// How the card has it in its memory.
    let layout: ALSASampleLayout
    /// How many frames the card gives at a time.
    let periodFrames: Int
    /// How many it keeps for a reader that is late.
    let bufferFrames: Int
}

extension ALSAPCM {
    /// How long a period and the buffer are to last, in microseconds.
    private static var periodTime: UInt32 { 10_000 }
    private static var bufferTime: UInt32 { 200_000 }

    /// All formats in which sound comes from it, the one first that is taken where nobody asks for another. Empty
    /// for one that gives nothing of what ``ALSASampleLayout`` knows.
    var formats: [AudioFormat] {
        quietly {
            guard let all = ALSAParameters(of: pointer) else { return [] }
            var formats: [AudioFormat] = []
            for layout in ALSASampleLayout.allCases {
                guard let some = all.with(layout) else { continue }
                let range = some.channelRange
                for channels in ALSAFormats.channelCounts(from: range.least, to: range.most) {
                    guard let few = some.with(channels: channels) else { continue }
                    for rate in ALSAFormats.rates where few.allows(rate: rate) {
                        let format = AudioFormat(
                            sampleType: layout.sampleType, sampleRate: rate, channelCount: channels)
                        if !formats.contains(format) { formats.append(format) }
                    }
                }
            }
            return formats
        }
    }

    /// Agrees with it upon a format, as near to the wanted one as it can; nil leaves it to the PCM. Before the
    /// start.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedFormat` when it has none that is known.
    func agree(on wanted: AudioFormat?) throws(ObscuraError) -> ALSAAgreement {
        let parameters: ALSAParameters? = quietly { ALSAParameters(of: pointer) }
        guard let parameters else { throw unsupported("sound does not come from it interleaved") }
        let agreement: ALSAAgreement? = quietly { settle(parameters, wanted) }
        guard let agreement else { throw unsupported("none of its sample formats is known") }
        let status = quietly { snd_pcm_hw_params(pointer, parameters.pointer) }
        guard status >= 0 else { throw failure(Int(status), "it refuses \(agreement.format)") }
        let sizes = parameters.sizes
        let result = ALSAAgreement(
            format: agreement.format, layout: agreement.layout, periodFrames: sizes.period,
            bufferFrames: sizes.buffer)
        try setStamps(result)
        agreed(result)
        return result
    }

    private func settle(_ all: ALSAParameters, _ wanted: AudioFormat?) -> ALSAAgreement? {
        let layouts = ALSAFormats.layouts(for: wanted?.sampleType)
        guard let layout = layouts.first(where: all.take(_:)),
            let channels = all.setChannels(near: wanted?.channelCount ?? 2),
            let rate = all.setRate(near: wanted?.sampleRate ?? ALSAFormats.rates[0])
        else { return nil }
        all.setTimes(buffer: Self.bufferTime, period: Self.periodTime)
        return ALSAAgreement(
            format: AudioFormat(sampleType: layout.sampleType, sampleRate: rate, channelCount: channels),
            layout: layout, periodFrames: 0, bufferFrames: 0)
    }

    /// Has it wake its reader for each period, and stamp by CLOCK_MONOTONIC.
    private func setStamps(_ agreement: ALSAAgreement) throws(ObscuraError) {
        var memory: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&memory) == 0, let parameters = memory else {
            throw failure(Int(-ENOMEM), "it cannot be set up")
        }
        defer { snd_pcm_sw_params_free(parameters) }
        let status = quietly {
            snd_pcm_sw_params_current(pointer, parameters)
            snd_pcm_sw_params_set_avail_min(pointer, parameters, snd_pcm_uframes_t(agreement.periodFrames))
            snd_pcm_sw_params_set_tstamp_mode(pointer, parameters, SND_PCM_TSTAMP_ENABLE)
            // An old plug-in does not have it; its stamps are of another clock, and are not believed.
            snd_pcm_sw_params_set_tstamp_type(pointer, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
            return snd_pcm_sw_params(pointer, parameters)
        }
        guard status >= 0 else { throw failure(Int(status), "it cannot be set up") }
    }

    private func unsupported(_ reason: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: subject, reason: reason,
            advice: "Let libasound convert it: define a PCM of the type plug for it in ~/.asoundrc.")
    }
}
