// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A stream of an open container. Valid while its ``InputContext``, which owns it, exists.
package struct InputStream {
    let pointer: UnsafeMutablePointer<AVStream>

    package var index: Int { Int(pointer.pointee.index) }
    var timeBase: AVRational { pointer.pointee.time_base }
    var parameters: UnsafeMutablePointer<AVCodecParameters> { pointer.pointee.codecpar }
    var averageFrameRate: AVRational { pointer.pointee.avg_frame_rate }
    var mediaType: AVMediaType { parameters.pointee.codec_type }

    /// The content of a stream.
    package enum Kind: Sendable {
        case video, audio, subtitle, data, unknown
    }

    package var kind: Kind {
        switch mediaType {
        case AVMEDIA_TYPE_VIDEO: .video
        case AVMEDIA_TYPE_AUDIO: .audio
        case AVMEDIA_TYPE_SUBTITLE: .subtitle
        case AVMEDIA_TYPE_DATA, AVMEDIA_TYPE_ATTACHMENT: .data
        default: .unknown
        }
    }

    /// Whether the demuxer returns packets of this stream or skips them.
    package var isRead: Bool {
        get { pointer.pointee.discard != AVDISCARD_ALL }
        nonmutating set { pointer.pointee.discard = newValue ? AVDISCARD_DEFAULT : AVDISCARD_ALL }
    }

    /// Whether the stream is the cover image of an audio file, not video.
    package var isCover: Bool { pointer.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

    package var width: Int { Int(parameters.pointee.width) }
    package var height: Int { Int(parameters.pointee.height) }
    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: parameters.pointee.format) }

    /// Units per second of the stream's times; nil if a unit is not 1/n second.
    package var timescale: Int32? { timeBase.num == 1 ? timeBase.den : nil }

    /// Returns the exact time of a number of units of the stream's time base.
    package func time(_ units: Int64) -> MediaTime {
        MediaTime(
            numerator: Int128(units) * Int128(timeBase.num), denominator: Int128(max(1, timeBase.den)))
    }

    /// Returns the last unit of the stream's time base that is not later than `time`.
    package func units(_ time: MediaTime) -> Int64 {
        let numerator = Int128(time.value) * Int128(timeBase.den)
        let denominator = Int128(time.timescale) * Int128(max(1, timeBase.num))
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    package var duration: MediaTime? {
        guard let units = durationUnits, units > 0 else { return nil }
        return time(units)
    }

    /// The duration, in units of the stream's time base; nil if the container does not declare it.
    package var durationUnits: Int64? {
        let value = pointer.pointee.duration
        return value == OBSCURA_NO_TIMESTAMP ? nil : value
    }

    package var startTime: MediaTime? {
        let value = pointer.pointee.start_time
        return value == OBSCURA_NO_TIMESTAMP ? nil : time(value)
    }

    /// The rotation and mirroring by the container; nil if it declares none.
    package var displayTransform: DisplayTransform? {
        obscura_stream_display_matrix(pointer).map(DisplayTransform.init(matrix:))
    }

    // MARK: Current index of the container

    package var indexCount: Int { Int(libav.avformat_index_get_entries_count(pointer)) }

    package func indexEntry(_ number: Int) -> (timestamp: Int64, end: Int64, isDiscarded: Bool)? {
        guard let entry = libav.avformat_index_get_entry(pointer, Int32(clamping: number)) else { return nil }
        let isDiscarded = Int32(entry.pointee.flags) & AVINDEX_DISCARD_FRAME != 0
        let (end, overflow) = entry.pointee.pos.addingReportingOverflow(Int64(entry.pointee.size))
        return (entry.pointee.timestamp, overflow ? .max : end, isDiscarded)
    }
}
