// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The origin of the host times of a movie's frames and audio.
package enum ElementTiming {
    /// The host time is the time of playback: for files.
    case playback
    /// The host time is the time of capture, calculated from the stream's own times; see ``StreamClock``.
    case stream
    /// The host time is the time of arrival: for live streams over HTTP, which servers send in bursts, and for streams
    /// without times, such as Motion JPEG.
    case arrival
}
