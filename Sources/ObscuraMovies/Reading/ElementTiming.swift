// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The origin of the host times of a movie's frames and audio.
package enum ElementTiming {
    /// The host time is the time of playback: for files, and for HTTP, where a server may send faster than in real time.
    case playback
    /// The stream's own times are mapped to the time of capture; see ``StreamClock``.
    case stream
    /// The host time is the time of arrival, because the stream has no times of its own, as Motion JPEG over HTTP.
    case arrival
}
