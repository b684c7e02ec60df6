// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

/// How a picture is shown in a view of another shape.
public enum VideoGravity: String, Sendable, Hashable, CaseIterable, Codable {
    /// The picture takes the shape of the view; round things become oval.
    case resize
    /// The whole picture, as large as fits; the view stays empty at two sides.
    case resizeAspect
    /// The picture fills the view; what sticks out at two sides is not seen.
    case resizeAspectFill

    /// The same for what is asked of a frame.
    public var fit: ImageRequest.Fit {
        switch self {
        case .resize: .stretch
        case .resizeAspect: .aspect
        case .resizeAspectFill: .fill
        }
    }

    /// The part of a picture that is seen in a view of `target`'s shape, in the picture's pixels.
    ///
    /// All of it, but for ``resizeAspectFill``: there the largest part of the view's shape, from the middle, each side
    /// rounded to whole pixels and at least 1.
    public func sourceRect(of picture: PixelSize, for target: PixelSize) -> PixelRect {
        self == .resizeAspectFill && !target.isEmpty
            ? picture.middle(target.largest(inside: picture))
            : PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
    }

    /// The part of a view of the size `target` that a picture covers, in the view's pixels.
    ///
    /// All of it, but for ``resizeAspect``: there the largest part of the picture's shape, in the middle.
    public func targetRect(of picture: PixelSize, in target: PixelSize) -> PixelRect {
        self == .resizeAspect && !picture.isEmpty
            ? target.middle(picture.largest(inside: target))
            : PixelRect(x: 0, y: 0, width: target.width, height: target.height)
    }
}

extension PixelSize {
    fileprivate var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The part of this size's middle that is as large as `part`.
    fileprivate func middle(_ part: PixelSize) -> PixelRect {
        PixelRect(
            x: (width - part.width) / 2, y: (height - part.height) / 2, width: part.width, height: part.height)
    }
}
