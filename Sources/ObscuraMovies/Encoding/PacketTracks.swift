// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraFFmpeg
package import ObscuraMedia

/// The video of a movie or a broadcast as packets: encoded (``VideoTrack``), or copied (``CopiedVideoTrack``). One thread
/// at a time.
package protocol VideoPacketTrack: AnyObject {
    /// FFmpeg's name of the encoder; nil before the first frame, and without an encoder.
    var encoderName: String? { get }
    /// Whether the stream is known.
    var isOpen: Bool { get }
    /// Number of frames that were accepted.
    var frameCount: Int { get }
    /// Number of frames that were skipped.
    var skippedCount: Int { get }
    /// The end of the last frame in the movie.
    var end: MediaTime { get }
    /// Creates the stream for a container, and the parameters for readers of the packets; nil before the first frame.
    func makeStream() throws(ObscuraError) -> TrackStream?
    /// Returns the time at which a frame at `place` will be shown, in whole units; nil if it must be skipped.
    func time(of sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> MediaTime?
    /// Appends a frame at `place` in the movie. Returns the packets that are complete.
    ///
    /// - Parameter isKey: whether it must be a key frame. A copied frame stays what it is.
    func append(_ sample: MediaSample, at place: MediaTime, isKey: Bool) throws(ObscuraError) -> [EncodedPacket]
    /// Returns the remaining packets; the movie ends at `place`, or, if nil, one frame duration after the last frame.
    func finish(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket]
}

/// The audio of a movie or a broadcast as packets: encoded (``AudioTrack``), or copied (``CopiedAudioTrack``). One thread
/// at a time.
package protocol AudioPacketTrack: AnyObject {
    /// FFmpeg's name of the encoder; nil without one.
    var encoderName: String? { get }
    /// Whether audio was appended.
    var hasSound: Bool { get }
    /// The end of the audio in the movie.
    var end: MediaTime { get }
    /// The deviation of the audio's clock from its times, in parts per million; see ``WriterReport/audioDrift``.
    var drift: Double? { get }
    /// Creates the stream for a container.
    func makeStream() throws(ObscuraError) -> OutputStream
    /// Begins a segment at `place` in the movie; earlier audio is skipped.
    func begin(at place: MediaTime)
    /// Appends audio whose first sample is at `place` in the movie. Returns the packets that are complete.
    func append(_ sample: MediaSample, at place: MediaTime) throws(ObscuraError) -> [EncodedPacket]
    /// Ends a segment at `place` in the movie, or, if nil, at the end of its audio.
    func endStretch(at place: MediaTime?) throws(ObscuraError) -> [EncodedPacket]
    /// Returns the remaining packets.
    func finish() throws(ObscuraError) -> [EncodedPacket]
}
