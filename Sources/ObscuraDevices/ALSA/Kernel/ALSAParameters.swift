// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CALSA
internal import ObscuraMedia

/// The possible formats of a PCM (snd_pcm_hw_params_t); each setting narrows them.
final class ALSAParameters {
    /// Returns libasound's constant for a layout.
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

    /// Creates the set of all interleaved formats of a PCM; nil if there are none, or no memory is left.
    ///
    /// - Parameter pcm: the PCM, which must outlive this object.
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

    /// Sets the layout. Returns false if that is impossible.
    func take(_ layout: ALSASampleLayout) -> Bool {
        snd_pcm_hw_params_set_format(pcm, pointer, Self.format(of: layout)) == 0
    }

    /// Whether the rate is possible.
    func allows(rate: Int) -> Bool {
        snd_pcm_hw_params_test_rate(pcm, pointer, UInt32(clamping: rate), 0) == 0
    }

    /// The possible range of channels.
    var channelRange: (least: Int, most: Int) {
        var least: UInt32 = 1
        var most: UInt32 = 1
        snd_pcm_hw_params_get_channels_min(pointer, &least)
        snd_pcm_hw_params_get_channels_max(pointer, &most)
        return (Int(least), Int(most))
    }

    /// Returns the possible formats with this layout; nil if there are none.
    func with(_ layout: ALSASampleLayout) -> ALSAParameters? {
        guard let copy = ALSAParameters(copying: self) else { return nil }
        return copy.take(layout) ? copy : nil
    }

    /// Returns the possible formats with this number of channels; nil if there are none.
    func with(channels: Int) -> ALSAParameters? {
        guard let copy = ALSAParameters(copying: self) else { return nil }
        return snd_pcm_hw_params_set_channels(pcm, copy.pointer, UInt32(clamping: channels)) == 0 ? copy : nil
    }

    /// Sets and returns the nearest number of channels; nil if that fails.
    func setChannels(near count: Int) -> Int? {
        var channels = UInt32(clamping: count)
        return snd_pcm_hw_params_set_channels_near(pcm, pointer, &channels) == 0 ? Int(channels) : nil
    }

    /// Sets and returns the nearest rate; nil if that fails.
    func setRate(near rate: Int) -> Int? {
        var rate = UInt32(clamping: rate)
        return snd_pcm_hw_params_set_rate_near(pcm, pointer, &rate, nil) == 0 ? Int(rate) : nil
    }

    /// Sets the durations of the buffer and a period, in microseconds, as closely as the card can.
    func setTimes(buffer: UInt32, period: UInt32) {
        // The buffer first: a card with few periods then gets longer periods instead of a shorter buffer.
        var buffer = buffer
        var period = period
        snd_pcm_hw_params_set_buffer_time_near(pcm, pointer, &buffer, nil)
        snd_pcm_hw_params_set_period_time_near(pcm, pointer, &period, nil)
    }

    /// The frames of a period and of the buffer, after all settings.
    var sizes: (period: Int, buffer: Int) {
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        snd_pcm_hw_params_get_period_size(pointer, &period, nil)
        snd_pcm_hw_params_get_buffer_size(pointer, &buffer)
        return (Int(clamping: period), Int(clamping: buffer))
    }
}
