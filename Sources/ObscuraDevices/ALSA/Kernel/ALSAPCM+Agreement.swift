// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraCapture
internal import ObscuraMedia

/// The negotiated format of a PCM.
struct ALSAAgreement: Sendable, Hashable {
    /// The format after conversion.
    let format: AudioFormat
    /// The layout in the card's memory.
    let layout: ALSASampleLayout
    /// The number of frames per period.
    let periodFrames: Int
    /// The capacity of the buffer, in frames.
    let bufferFrames: Int

    /// Returns the agreement with the sizes that the card has chosen.
    func with(_ sizes: (period: Int, buffer: Int)) -> ALSAAgreement {
        ALSAAgreement(format: format, layout: layout, periodFrames: sizes.period, bufferFrames: sizes.buffer)
    }
}

extension ALSAParameters {
    /// Narrows the formats to the one closest to the requested one, and sets the durations of the buffer and a period, in
    /// microseconds. Returns nil if there is no supported format. The sizes are known only when the card has them set.
    func settle(near requested: AudioFormat?, buffer: UInt32, period: UInt32) -> ALSAAgreement? {
        let layouts = ALSAFormats.layouts(for: requested?.sampleType)
        // Within the limits of a format.
        let near = AudioFormat(
            sampleRate: requested?.sampleRate ?? ALSAFormats.rates[0], channelCount: requested?.channelCount ?? 2)
        guard let layout = layouts.first(where: take(_:)), let channels = setChannels(near: near.channelCount),
            let rate = setRate(near: near.sampleRate)
        else { return nil }
        let format = AudioFormat(sampleType: layout.sampleType, sampleRate: rate, channelCount: channels)
        // A card beyond these limits has larger frames than its format, and so than the memory for them.
        guard format.channelCount == channels, format.sampleRate == rate else { return nil }
        setTimes(buffer: buffer, period: period)
        return ALSAAgreement(format: format, layout: layout, periodFrames: 0, bufferFrames: 0)
    }
}

extension ALSAPCM {
    /// The requested durations of a period and the buffer, in microseconds.
    private static var periodTime: UInt32 { 10_000 }
    private static var bufferTime: UInt32 { 200_000 }

    /// All supported formats, in order of preference. Empty if it has no layout of ``ALSASampleLayout``.
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

    /// Negotiates the format closest to the requested one; nil for the PCM's own choice. Call it before the start.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedFormat` if it has no supported format.
    func agree(on requested: AudioFormat?) throws(ObscuraError) -> ALSAAgreement {
        let parameters: ALSAParameters? = quietly { ALSAParameters(of: pointer) }
        guard let parameters else { throw unsupported("it does not support interleaved access") }
        let agreement: ALSAAgreement? = quietly {
            parameters.settle(near: requested, buffer: Self.bufferTime, period: Self.periodTime)
        }
        guard let agreement else { throw unsupported("none of its formats is supported") }
        let status = quietly { snd_pcm_hw_params(pointer, parameters.pointer) }
        guard status >= 0 else { throw failure(Int(status), "it rejects \(agreement.format)") }
        let result = agreement.with(parameters.sizes)
        try setStamps(result)
        agreed(result)
        return result
    }

    /// Enables a wake-up per period, and time stamps of CLOCK_MONOTONIC.
    private func setStamps(_ agreement: ALSAAgreement) throws(ObscuraError) {
        var memory: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&memory) == 0, let parameters = memory else {
            throw failure(Int(-ENOMEM), "it cannot be configured")
        }
        defer { snd_pcm_sw_params_free(parameters) }
        let status = quietly {
            snd_pcm_sw_params_current(pointer, parameters)
            snd_pcm_sw_params_set_avail_min(pointer, parameters, snd_pcm_uframes_t(agreement.periodFrames))
            snd_pcm_sw_params_set_tstamp_mode(pointer, parameters, SND_PCM_TSTAMP_ENABLE)
            // Old plug-ins do not support it; their stamps are of another clock and rejected as implausible.
            snd_pcm_sw_params_set_tstamp_type(pointer, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
            return snd_pcm_sw_params(pointer, parameters)
        }
        guard status >= 0 else { throw failure(Int(status), "it cannot be configured") }
    }

    private func unsupported(_ reason: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: subject, reason: reason,
            advice: "Let libasound convert the sound: define a PCM of type plug for this card in ~/.asoundrc.")
    }
}
