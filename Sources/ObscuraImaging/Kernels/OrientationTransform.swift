// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A rotation and mirroring as operations on rows and columns: first a transposition, then a reversal of each.
struct OrientationTransform: Hashable {
    /// Whether rows become columns.
    var isTransposed: Bool
    /// Whether left and right are exchanged.
    var flipsColumns: Bool
    /// Whether top and bottom are exchanged.
    var flipsRows: Bool

    /// Creates a rotation, followed by horizontal mirroring if `isMirrored`.
    init(_ orientation: Orientation, isMirrored: Bool) {
        isTransposed = orientation.isTransposed
        flipsColumns = (orientation == .right || orientation == .down) != isMirrored
        flipsRows = orientation == .left || orientation == .down
    }

    var isIdentity: Bool { !isTransposed && !flipsColumns && !flipsRows }

    func size(of size: PixelSize) -> PixelSize {
        isTransposed ? size.transposed : size
    }

    /// Returns the part of a source of `size` from which a part of the result is made.
    func source(of rect: PixelRect, in size: PixelSize) -> PixelRect {
        let result = self.size(of: size)
        let x = flipsColumns ? result.width - rect.x - rect.width : rect.x
        let y = flipsRows ? result.height - rect.y - rect.height : rect.y
        if isTransposed { return PixelRect(x: y, y: x, width: rect.height, height: rect.width) }
        return PixelRect(x: x, y: y, width: rect.width, height: rect.height)
    }

    /// Returns the part of the result that is made from a part of a source of `size`.
    func result(of rect: PixelRect, in size: PixelSize) -> PixelRect {
        let result = self.size(of: size)
        var (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        if isTransposed { (x, y, width, height) = (y, x, height, width) }
        if flipsColumns { x = result.width - x - width }
        if flipsRows { y = result.height - y - height }
        return PixelRect(x: x, y: y, width: width, height: height)
    }

    /// Whether chroma samples keep their pixels when the planes are transformed one by one. False for non-square blocks
    /// in a transposition, and if a clipped block would become the first one.
    func keepsChroma(of format: PixelFormat, size: PixelSize) -> Bool {
        let (columns, rows) = format.chromaSubsampling
        if isTransposed && columns != rows { return false }
        let result = self.size(of: size)
        return !(flipsColumns && result.width % columns != 0) && !(flipsRows && result.height % rows != 0)
    }
}
