// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

extension InputContext {
    /// Whether the container's packets are the pictures', so that a broken one is one broken picture. In a
    /// program stream they are not: pictures that came whole share a broken packet with one that did not,
    /// and the decoder has to tell.
    package var hasPicturePackets: Bool { formatName != "mpeg" }

    /// Whether the file's size says that its end is missing.
    ///
    /// FFmpeg reads what there is and reports the end as any other. What shows that more was meant to come
    /// differs by container: an index that points behind the end (ISO media), a length in the head (RIFF),
    /// packets of one size (transport streams).
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
            // A recording that was never finished has a length of 0, or of all ones.
            return length != 0 && length != 0xffff_ffff && length + 8 > size
        }
        if names.contains("mpegts") {
            return size % 188 != 0 && size % 192 != 0 && size % 204 != 0
        }
        return false
    }

    /// Containers of sound whose head says exactly how much there is.
    private static let exactSound: Set<String> = ["wav", "w64", "flac", "aiff", "au", "caf", "tta", "wv"]
    /// What a container may promise too much: the last of its frames need not be full.
    private static let soundTolerance = MediaTime(value: 1, timescale: 20)

    /// Whether more sound was promised than came.
    ///
    /// - Parameter end: where the sound that came ends; nil if none was wanted.
    package func endsBefore(_ stream: InputStream, _ end: MediaTime?) -> Bool {
        guard let end, Self.exactSound.contains(formatName), let duration = stream.duration else { return false }
        return end + Self.soundTolerance < (stream.startTime ?? .zero) + duration
    }

    /// How many frames the container's index or header promises; nil where it has neither.
    package func frameCount(_ stream: InputStream) -> Int? {
        if formatName.split(separator: ",").contains("mov"), stream.indexCount > 0, !isFragmented(stream) {
            return (0..<stream.indexCount).count { stream.indexEntry($0)?.isDiscarded == false }
        }
        let count = stream.pointer.pointee.nb_frames
        return count > 0 ? Int(count) : nil
    }

    /// Whether the index holds only a part of the frames: a movie in fragments, whose index grows.
    private func isFragmented(_ stream: InputStream) -> Bool {
        let count = stream.pointer.pointee.nb_frames
        return count == 0
    }
}
