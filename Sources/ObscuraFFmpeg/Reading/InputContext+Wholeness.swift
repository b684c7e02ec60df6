// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

extension InputContext {
    /// Whether each packet of the container is one frame, so that a corrupt packet is one corrupt frame. In a program
    /// stream it is not: complete frames share a corrupt packet with an incomplete one, and only the decoder can
    /// distinguish them.
    package var hasPicturePackets: Bool { formatName != "mpeg" }

    /// Whether the file's size shows that its end is missing.
    ///
    /// FFmpeg reads the existing data and reports the end as usual. The evidence of missing data depends on the
    /// container: an index that points beyond the end (ISO media), a length in the header (RIFF), packets of a fixed
    /// size (transport streams).
    package func isCutShort(_ stream: InputStream) -> Bool {
        guard let size = fileSize else { return false }
        let names = formatName.split(separator: ",")
        if names.contains("mov") {
            return (0..<stream.indexCount).contains { number in
                guard let entry = stream.indexEntry(number) else { return false }
                return !entry.isDiscarded && entry.end > size
            }
        }
        if names.contains("avi") || names.contains("webp_pipe") {
            let head = head(count: 8).map(Int64.init)
            guard head.count == 8, Array(head.prefix(4)) == [0x52, 0x49, 0x46, 0x46] else { return false }
            let length = head[4] | head[5] << 8 | head[6] << 16 | head[7] << 24
            // A recording that was not finished has a length of 0, or with all bits set.
            return length != 0 && length != 0xffff_ffff && length + 8 > size
        }
        if names.contains("mpegts") {
            return size % 188 != 0 && size % 192 != 0 && size % 204 != 0
        }
        return false
    }

    /// Audio containers whose header contains the exact length.
    private static let exactSound: Set<String> = ["wav", "w64", "flac", "aiff", "au", "caf", "tta", "wv"]
    /// The tolerance for a declared length: the last frame need not be full.
    private static let soundTolerance = MediaTime(value: 1, timescale: 20)

    /// Whether the container declares more audio than was read.
    ///
    /// - Parameter end: the end of the audio that was read; nil if none was requested.
    package func endsBefore(_ stream: InputStream, _ end: MediaTime?) -> Bool {
        guard let end, Self.exactSound.contains(formatName), let duration = stream.duration else { return false }
        return end + Self.soundTolerance < (stream.startTime ?? .zero) + duration
    }

    /// Returns the number of frames by the container's index or header; nil if it has neither.
    package func frameCount(_ stream: InputStream) -> Int? {
        if formatName.split(separator: ",").contains("mov"), stream.indexCount > 0, !isFragmented(stream) {
            return (0..<stream.indexCount).count { stream.indexEntry($0)?.isDiscarded == false }
        }
        let count = stream.pointer.pointee.nb_frames
        return count > 0 ? Int(count) : nil
    }

    /// Whether the index contains only some of the frames: a fragmented movie, whose index grows while it is read.
    private func isFragmented(_ stream: InputStream) -> Bool {
        let count = stream.pointer.pointee.nb_frames
        return count == 0
    }
}
