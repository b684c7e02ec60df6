// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraMedia

/// Some windows of a level: what one thread looks at in one go.
struct ScanBand: Sendable, Hashable {
    let level: ScaleLevel
    /// The corners of the windows, in pixels of the scaled picture.
    let columns, rows: Range<Int>
    /// The first columns that are looked at only for what they mean for the next; see ``ScanBand/around(_:in:)``.
    let lead: Int

    /// About as many windows as take a millisecond, so that threads share well, but rarely scale a row twice.
    private static let windowsOfBand = 40_000

    /// All windows of a level.
    static func all(of level: ScaleLevel) -> [ScanBand] {
        let height = max(32, windowsOfBand * level.step / max(1, level.windowColumns / level.step))
        return stride(from: 0, to: level.windowRows, by: (height + 1) / 2 * 2).map { top in
            ScanBand(
                level: level, columns: 0..<level.windowColumns,
                rows: top..<min(level.windowRows, top + (height + 1) / 2 * 2), lead: 0)
        }
    }

    /// The windows of a level whose middle lies in a part of the picture; nil if there are none.
    ///
    /// OpenCV leaves out the window behind one that the first stage stops. Which of a row those are depends on the
    /// windows left of them, so some more are looked at there: any window that is not stopped settles it.
    static func around(_ part: PixelRect, in level: ScaleLevel) -> ScanBand? {
        func range(_ from: Int, _ length: Int, _ window: Int, _ count: Int) -> Range<Int>? {
            let scale = Double(level.scale)
            let begin = (Double(from) - Double(window) / 2) / scale
            let end = (Double(from + length) - Double(window) / 2) / scale
            let first = max(0, Int(begin.rounded(.down))) / 2 * 2
            let last = min(count, Int(end.rounded(.up)) + 1)
            return first < last ? first..<last : nil
        }
        guard let columns = range(part.x, part.width, level.window.width, level.windowColumns),
            let rows = range(part.y, part.height, level.window.height, level.windowRows)
        else { return nil }
        let lead = min(columns.lowerBound / level.step, 16)
        return ScanBand(
            level: level, columns: columns.lowerBound - lead * level.step..<columns.upperBound, rows: rows, lead: lead)
    }
}

#endif
