// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// Some windows of a level: one unit of work of a thread.
struct ScanBand: Sendable, Hashable {
    let level: ScaleLevel
    /// The top left corners of the windows, in pixels of the scaled picture.
    let columns, rows: Range<Int>
    /// The number of columns at the left that are scanned only for their effect on the others; see
    /// ``ScanBand/around(_:in:)``.
    let lead: Int

    /// The number of windows for about 1 ms: small enough to balance threads, large enough to rarely scale a row twice.
    private static let windowsPerBand = 40_000

    /// Returns all windows of a level, in bands.
    static func all(of level: ScaleLevel) -> [ScanBand] {
        let height = max(32, windowsPerBand * level.step / max(1, level.windowColumns / level.step))
        return stride(from: 0, to: level.windowRows, by: (height + 1) / 2 * 2).map { top in
            ScanBand(
                level: level, columns: 0..<level.windowColumns,
                rows: top..<min(level.windowRows, top + (height + 1) / 2 * 2), lead: 0)
        }
    }

    /// Returns the windows of a level whose center is in a part of the picture; nil if there are none.
    ///
    /// OpenCV skips the window after one that the first stage rejects. The skipped windows of a row depend on those to
    /// their left, so some more are scanned there: any window that is not rejected resolves the dependency.
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
