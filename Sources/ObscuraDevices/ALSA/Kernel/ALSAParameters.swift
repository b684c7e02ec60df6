// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraMedia

/// The formats that are still possible for a PCM (snd_pcm_hw_params_t): each setting leaves fewer.
final class ALSAParameters {
    /// libasound's own name for what stands in memory as `layout`.
    private static func format(of layout: ALSASampleLayout) -> snd_pcm_format_t {
        switch layout {
        case .float32: SND_PCM_FORMAT_FLOAT
        case .int32: SND_PCM_FORMAT_S32
        case .int24: SND_PCM_FORMAT_S24
        case .packed24: SND_PCM_FORMAT_S24_3LE
        case .int16: SND_PCM_FORMAT_S16
        case .uint8: SND_PCM_FORMAT_U8
        }
    }

    let pointer: OpaquePointer
    private let pcm: OpaquePointer

    /// Everything that the PCM can, interleaved; nil if there is nothing of that, or no memory.
    ///
    /// - Parameter pcm: must outlive this.
    init?(of pcm: OpaquePointer) {
        var pointer: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&pointer) == 0, let pointer else { return nil }
        self.pointer = pointer
        self.pcm = pcm
        guard snd_pcm_hw_params_any(pcm, pointer) >= 0,
            snd_pcm_hw_params_set_access(pcm, pointer, SND_PCM_ACCESS_RW_INTERLEAVED) == 0
        else { return nil }
    }

    private init?(copying other: ALSAParameters) {
        var pointer: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&pointer) == 0, let pointer else { return nil }
        self.pointer = pointer
        pcm = other.pcm
        snd_pcm_hw_params_copy(pointer, other.pointer)
    }

    deinit {
        snd_pcm_hw_params_free(pointer)
    }

    /// Takes the layout, unless that is impossible.
    func take(_ layout: ALSASampleLayout) -> Bool {
        snd_pcm_hw_params_set_format(pcm, pointer, Self.format(of: layout)) == 0
    }

    /// Whether the rate is still possible.
    func allows(rate: Int) -> Bool {
        snd_pcm_hw_params_test_rate(pcm, pointer, UInt32(clamping: rate), 0) == 0
    }

    /// The least and the most channels that are still possible.
    var channelRange: (least: Int, most: Int) {
        var least: UInt32 = 1
        var most: UInt32 = 1
        snd_pcm_hw_params_get_channels_min(pointer, &least)
        snd_pcm_hw_params_get_channels_max(pointer, &most)
        return (Int(least), Int(most))
    }

    /// What is left with this layout; nil if nothing is.
    func with(_ layout: ALSASampleLayout) -> ALSAParameters? {
        guard let copy = ALSAParameters(copying: self) else { return nil }
        return copy.take(layout) ? copy : nil
    }

    /// What is left with so many channels; nil if nothing is.
    func with(channels: Int) -> ALSAParameters? {
        guard let copy = ALSAParameters(copying: self) else { return nil }
        return snd_pcm_hw_params_set_channels(pcm, copy.pointer, UInt32(clamping: channels)) == 0 ? copy : nil
    }

    /// Takes the number of channels that is nearest; returns it, or nil if that failed.
    func setChannels(near count: Int) -> Int? {
        var channels = UInt32(clamping: count)
        return snd_pcm_hw_params_set_channels_near(pcm, pointer, &channels) == 0 ? Int(channels) : nil
    }

    /// Takes the rate that is nearest; returns it, or nil if that failed.
    func setRate(near rate: Int) -> Int? {
        var rate = UInt32(clamping: rate)
        return snd_pcm_hw_params_set_rate_near(pcm, pointer, &rate, nil) == 0 ? Int(rate) : nil
    }

    /// Takes a buffer and periods of about these times, in microseconds. What the card cannot, it does as it can.
    func setTimes(buffer: UInt32, period: UInt32) {
        // The buffer first: where a card has few periods, they become longer, and it does not overrun sooner.
        var buffer = buffer
        var period = period
        snd_pcm_hw_params_set_buffer_time_near(pcm, pointer, &buffer, nil)
        snd_pcm_hw_params_set_period_time_near(pcm, pointer, &period, nil)
    }

    /// How many frames a period and the buffer have, when all is set.
    var sizes: (period: Int, buffer: Int) {
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        snd_pcm_hw_params_get_period_size(pointer, &period, nil)
        snd_pcm_hw_params_get_buffer_size(pointer, &buffer)
        return (Int(clamping: period), Int(clamping: buffer))
    }
}
