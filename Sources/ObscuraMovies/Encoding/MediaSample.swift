// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraCapture
public import ObscuraMedia

/// A frame or an audio buffer to encode.
public enum MediaSample: Sendable {
    /// A frame of the video track.
    case video(VideoFrame)
    /// A buffer of the audio track.
    case audio(AudioBuffer)

    /// The media type: video or audio.
    public var mediaType: MediaType { isVideo ? .video : .audio }

    package var isVideo: Bool {
        if case .video = self { true } else { false }
    }

    /// Presentation time.
    public var presentationTime: MediaTime {
        switch self {
        case .video(let frame): frame.presentationTime
        case .audio(let buffer): buffer.presentationTime
        }
    }

    /// Duration; nil for a frame whose source does not specify a duration.
    public var duration: MediaTime? {
        switch self {
        case .video(let frame): frame.duration
        case .audio(let buffer): buffer.duration
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
        }
    }
}
