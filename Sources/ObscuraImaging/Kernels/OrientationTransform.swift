// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A turn and a mirroring as what happens to rows and columns: first they change places, then each is
/// reversed.
struct OrientationTransform: Hashable {
    /// Rows become columns.
    var isTransposed: Bool
    /// Left and right change places.
    var flipsColumns: Bool
    /// Top and bottom change places.
    var flipsRows: Bool

    /// The turn, and after it left and right change places if `isMirrored`.
    init(_ orientation: Orientation, isMirrored: Bool) {
        isTransposed = orientation.isTransposed
        flipsColumns = (orientation == .right || orientation == .down) != isMirrored
        flipsRows = orientation == .left || orientation == .down
    }

    var isIdentity: Bool { !isTransposed && !flipsColumns && !flipsRows }

    func size(of size: PixelSize) -> PixelSize {
        isTransposed ? size.transposed : size
    }

    /// Where a part of the result lies in the source of `size`.
    func source(of rect: PixelRect, in size: PixelSize) -> PixelRect {
        let result = self.size(of: size)
        let x = flipsColumns ? result.width - rect.x - rect.width : rect.x
        let y = flipsRows ? result.height - rect.y - rect.height : rect.y
        if isTransposed { return PixelRect(x: y, y: x, width: rect.height, height: rect.width) }
        return PixelRect(x: x, y: y, width: rect.width, height: rect.height)
    }

    /// Where a part of the source of `size` lies in the result.
    func result(of rect: PixelRect, in size: PixelSize) -> PixelRect {
        let result = self.size(of: size)
        var (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        if isTransposed { (x, y, width, height) = (y, x, height, width) }
        if flipsColumns { x = result.width - x - width }
        if flipsRows { y = result.height - y - height }
        return PixelRect(x: x, y: y, width: width, height: height)
    }

    /// Whether each chroma sample keeps its pixels when the planes of a picture are permuted one by one.
    /// Not so where blocks are not square and turn, or where a block that the edge cuts comes first.
    func keepsChroma(of format: PixelFormat, size: PixelSize) -> Bool {
        let (columns, rows) = format.chromaSubsampling
        if isTransposed && columns != rows { return false }
        let result = self.size(of: size)
        return !(flipsColumns && result.width % columns != 0) && !(flipsRows && result.height % rows != 0)
    }
}
