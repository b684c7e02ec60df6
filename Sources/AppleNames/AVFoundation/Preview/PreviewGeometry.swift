// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The mapping between the points of a layer and those of a camera's picture, which are from 0 to 1 of its width and
/// height, before it is rotated and mirrored.
struct PreviewGeometry {
    /// The part of the layer that the whole picture would cover; larger than the layer if it is cropped.
    private let place: CGRect
    private let turn: Orientation
    private let isMirrored: Bool

    /// - Parameters:
    ///   - picture: the size of the camera's picture; nil if unknown, for one with the aspect ratio of the layer.
    ///   - turn: the clockwise rotation with which the picture is shown.
    ///   - isMirrored: whether it is mirrored horizontally after that.
    init(layer: CGSize, picture: CGSize?, gravity: AVLayerVideoGravity, turn: Orientation, isMirrored: Bool) {
        self.turn = turn
        self.isMirrored = isMirrored
        guard let picture, picture.width > 0, picture.height > 0, gravity != .resize else {
            place = CGRect(origin: .zero, size: layer)
            return
        }
        let shown =
            turn.isTransposed ? CGSize(width: picture.height, height: picture.width) : picture
        let factors = [layer.width / shown.width, layer.height / shown.height]
        let factor = (gravity == .resizeAspectFill ? factors.max() : factors.min()) ?? 1
        let size = CGSize(width: shown.width * factor, height: shown.height * factor)
        place = CGRect(
            x: (layer.width - size.width) / 2, y: (layer.height - size.height) / 2, width: size.width,
            height: size.height)
    }

    /// Returns the point of the picture at a point of the layer.
    func picturePoint(_ point: CGPoint) -> CGPoint {
        guard place.width > 0, place.height > 0 else { return .zero }
        let across = (point.x - place.minX) / place.width
        let x = isMirrored ? 1 - across : across
        let y = (point.y - place.minY) / place.height
        return switch turn {
        case .up: CGPoint(x: x, y: y)
        case .right: CGPoint(x: y, y: 1 - x)
        case .down: CGPoint(x: 1 - x, y: 1 - y)
        case .left: CGPoint(x: 1 - y, y: x)
        }
    }

    /// Returns the point of the layer at a point of the picture.
    func layerPoint(_ point: CGPoint) -> CGPoint {
        let (x, y) =
            switch turn {
            case .up: (point.x, point.y)
            case .right: (1 - point.y, point.x)
            case .down: (1 - point.x, 1 - point.y)
            case .left: (point.y, 1 - point.x)
            }
        return CGPoint(x: place.minX + (isMirrored ? 1 - x : x) * place.width, y: place.minY + y * place.height)
    }

    func pictureRect(_ rect: CGRect) -> CGRect { Self.convert(rect, picturePoint) }

    func layerRect(_ rect: CGRect) -> CGRect { Self.convert(rect, layerPoint) }

    private static func convert(_ rect: CGRect, _ convert: (CGPoint) -> CGPoint) -> CGRect {
        let (one, other) = (
            convert(CGPoint(x: rect.minX, y: rect.minY)), convert(CGPoint(x: rect.maxX, y: rect.maxY))
        )
        return CGRect(x: one.x, y: one.y, width: other.x - one.x, height: other.y - one.y).standardized
    }
}
