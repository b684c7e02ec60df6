// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

/// The chapters of a recording that was interrupted: a stream of text in its partial file.
enum RecordedChapters {
    /// Reads the chapters up to the end of the file, or up to damage.
    static func read(_ input: InputContext, of source: String) throws(ObscuraError) -> [MovieChapter] {
        guard let stream = input.streams.first(where: \.holdsChapters) else { return [] }
        for other in input.streams where other.index != stream.index { other.isRead = false }
        guard let packet = Packet() else { throw .outOfMemory(.recording, source) }
        var beginnings: [MovieChapter.Beginning] = []
        while true {
            let status = input.read(packet)
            if status == FFmpegCode.again { continue }
            guard status >= 0 else { break }
            guard packet.streamIndex == stream.index, !packet.isCorrupt, let units = packet.presentationTimestamp,
                let title = TimedForm.text(of: packet.bytes)
            else { continue }
            beginnings.append((stream.time(units), title))
        }
        let last = beginnings.last?.start ?? .zero
        return MovieChapter.chapters(beginnings, end: max(last, input.duration ?? last))
    }
}
