// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraImaging
public import ObscuraMedia

/// The fit of an image into a view with a different aspect ratio.
public enum VideoGravity: String, Sendable, Hashable, CaseIterable, Codable {
    /// Stretches the image to the aspect ratio of the view, with distortion.
    case resize
    /// Fits the whole image into the view; two sides of the view remain empty.
    case resizeAspect
    /// Fills the view and crops two sides of the image.
    case resizeAspectFill

    /// The value of `ImageRequest.Fit` with the same effect.
    public var fit: ImageRequest.Fit {
        switch self {
        case .resize: .stretch
        case .resizeAspect: .aspect
        case .resizeAspectFill: .fill
        }
    }

    /// Returns the part of an image that is visible in a view with the aspect ratio of `target`, in image pixels.
    ///
    /// With ``resizeAspectFill``, the result is the largest centered part with the aspect ratio of the view. Each side
    /// is rounded to whole pixels, and is at least 1. With ``resize`` and ``resizeAspect``, the result is the whole
    /// image.
    public func sourceRect(of picture: PixelSize, for target: PixelSize) -> PixelRect {
        self == .resizeAspectFill && !target.isEmpty
            ? picture.middle(target.largest(inside: picture))
            : PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
    }

    /// Returns the part of a view that an image covers, in view pixels. The size of the view is `target`.
    ///
    /// With ``resizeAspect``, the result is the largest centered part with the aspect ratio of the image. With
    /// ``resize`` and ``resizeAspectFill``, the result is the whole view.
    public func targetRect(of picture: PixelSize, in target: PixelSize) -> PixelRect {
        self == .resizeAspect && !picture.isEmpty
            ? target.middle(picture.largest(inside: target))
            : PixelRect(x: 0, y: 0, width: target.width, height: target.height)
    }
}

extension PixelSize {
    fileprivate var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Returns the centered part of this size that is as large as `part`.
    fileprivate func middle(_ part: PixelSize) -> PixelRect {
        PixelRect(
            x: (width - part.width) / 2, y: (height - part.height) / 2, width: part.width, height: part.height)
    }
}
