// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An open playback device, as the thread of an ``AudioPlayer`` uses it: ``ALSAPlaybackPCM``, or a device of a test.
protocol PlaybackPCM: AnyObject {
    /// Negotiates the format closest to the requested one, and a buffer of the duration of the latency.
    func agree(on requested: AudioFormat, latency: Duration) throws(ObscuraError) -> ALSAAgreement
    /// Returns the current state.
    func state() throws(ObscuraError) -> ALSAPlaybackPCM.State
    /// The number of frames that were written but not heard yet.
    var delay: Int { get }
    /// Writes whole frames, as far as there is room. Returns the number of frames; nil if the device has stopped.
    func write(_ bytes: ArraySlice<UInt8>) throws(ObscuraError) -> Int?
    /// Prepares the device for new audio, after an underrun.
    func prepare() throws(ObscuraError)
    /// Prepares the device after the machine was suspended. Returns false if it needs more time.
    func wake() throws(ObscuraError) -> Bool
    /// Stops at once; audio that was not heard yet is discarded.
    func drop()
    /// Blocks until there is room, the event descriptor is signaled, or the deadline has passed.
    func wait(with eventFD: EventFD, until deadline: HostTime) -> EventFD.Wait
}

extension ALSAPlaybackPCM: PlaybackPCM {}
