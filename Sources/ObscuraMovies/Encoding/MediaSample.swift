// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A frame or an audio buffer to encode, or a compressed frame or packet to write unchanged.
public enum MediaSample: Sendable {
    /// A frame of the video track.
    case video(VideoFrame)
    /// A buffer of the audio track.
    case audio(AudioBuffer)
    /// A compressed frame of the video track; see ``AssetWriter/Options/copiesVideo``.
    case encodedVideo(EncodedFrame)
    /// A compressed packet of the audio track; see ``AssetWriter/Options/copiedAudio``.
    case encodedAudio(EncodedAudio)

    /// The media type: video or audio.
    public var mediaType: MediaType { isVideo ? .video : .audio }

    package var isVideo: Bool {
        switch self {
        case .video, .encodedVideo: true
        case .audio, .encodedAudio: false
        }
    }

    /// Whether it is written unchanged.
    package var isEncoded: Bool {
        switch self {
        case .encodedVideo, .encodedAudio: true
        case .video, .audio: false
        }
    }

    /// The number of compressed bytes; nil for what is not compressed.
    var encodedByteCount: Int? {
        switch self {
        case .video, .audio: nil
        case .encodedVideo(let frame): frame.data.count
        case .encodedAudio(let packet): packet.data.count
        }
    }

    /// Whether a movie can begin with it: false for a compressed frame that needs others.
    package var isKey: Bool {
        if case .encodedVideo(let frame) = self { frame.isKeyFrame } else { true }
    }

    /// The time in the order of the samples: that of decoding for a compressed frame.
    package var decodeTime: MediaTime {
        if case .encodedVideo(let frame) = self { frame.decodeTime } else { presentationTime }
    }

    /// The time of capture, on CLOCK_MONOTONIC.
    package var hostTime: HostTime {
        switch self {
        case .video(let frame): frame.hostTime
        case .audio(let buffer): buffer.hostTime
        case .encodedVideo(let frame): frame.hostTime
        case .encodedAudio(let packet): packet.hostTime
        }
    }

    /// The time at which its driver received it; that of the call if the sample does not tell it.
    var arrivalTime: HostTime {
        switch self {
        case .video(let frame): frame.attachments.dequeueTime ?? .now
        case .audio(let buffer): buffer.attachments.dequeueTime ?? .now
        case .encodedVideo(let frame): frame.attachments.dequeueTime ?? .now
        case .encodedAudio: .now
        }
    }

    /// The presentation time of the frame, buffer or packet.
    public var presentationTime: MediaTime {
        switch self {
        case .video(let frame): frame.presentationTime
        case .audio(let buffer): buffer.presentationTime
        case .encodedVideo(let frame): frame.presentationTime
        case .encodedAudio(let packet): packet.presentationTime
        }
    }

    /// The duration of the frame, buffer or packet; nil for a frame whose source does not specify a duration.
    public var duration: MediaTime? {
        switch self {
        case .video(let frame): frame.duration
        case .audio(let buffer): buffer.duration
        case .encodedVideo(let frame): frame.duration
        case .encodedAudio(let packet): packet.duration
        }
    }

    /// The sample with its host time as presentation time, because live sources share the host clock.
    var atHostTime: MediaSample {
        switch self {
        case .video(var frame):
            frame.presentationTime = frame.hostTime.mediaTime
            return .video(frame)
        case .audio(var buffer):
            buffer.presentationTime = buffer.hostTime.mediaTime
            return .audio(buffer)
        case .encodedVideo(var frame):
            let lead = frame.presentationTime - frame.decodeTime
            frame.presentationTime = frame.hostTime.mediaTime
            frame.decodeTime = frame.presentationTime - lead
            return .encodedVideo(frame)
        case .encodedAudio(var packet):
            packet.presentationTime = packet.hostTime.mediaTime
            return .encodedAudio(packet)
        }
    }
}
