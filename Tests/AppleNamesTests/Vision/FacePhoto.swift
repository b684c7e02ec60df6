// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import TestSupport
import Testing
import Vision

/// A part of the photo of an astronaut, of 400x300 pixels, with one face; `scripts/fetch-faces` fetches the photo.
struct FacePhoto {
    static let folder = ProcessInfo.processInfo.environment["OBSCURA_TEST_FACES"]

    /// The upright picture, BGRA.
    let picture: PixelBuffer
    /// The face that the engine finds in it.
    let face: Face

    init() throws {
        let path = "\(try #require(Self.folder))/astronaut.png"
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var request = ImageRequest(pixelFormat: .bgra)
        request.crop = PixelRect(x: 60, y: 0, width: 400, height: 300)
        picture = try ImageTransformer.transform(PNGDecoder.decode(file), request)
        let faces = try FaceDetector().faces(in: picture)
        try #require(faces.count == 1)
        face = faces[0]
    }

    /// The bounds of the face from the bottom left corner, in pixels.
    var bounds: CGRect {
        CGRect(
            x: face.bounds.x, y: picture.height - face.bounds.y - face.bounds.height, width: face.bounds.width,
            height: face.bounds.height)
    }

    /// The bounds of the face as fractions, from the bottom left corner.
    var boundingBox: CGRect {
        CGRect(
            x: bounds.minX / 400, y: bounds.minY / 300, width: bounds.width / 400, height: bounds.height / 300)
    }

    /// The picture as it is stored with an orientation.
    func stored(_ orientation: CGImagePropertyOrientation) throws -> PixelBuffer {
        var request = ImageRequest()
        // A rotation after mirroring is one in the other direction before it.
        let turn = orientation.turn
        request.orientation = orientation.isMirrored ? turn : Orientation(degrees: -turn.degrees)
        request.isMirrored = orientation.isMirrored
        return try ImageTransformer.transform(picture, request)
    }

    /// The file of the picture as it is stored with an orientation.
    func file(_ orientation: CGImagePropertyOrientation = .up, _ format: StillFormat = .png()) throws -> Data {
        var properties = StillProperties()
        properties.orientation = orientation.turn
        properties.isMirrored = orientation.isMirrored
        return Data(try StillEncoder(format).encode(stored(orientation), properties))
    }
}

extension CGRect {
    /// Whether no edge is farther away than `limit`.
    func isNear(_ other: CGRect, _ limit: CGFloat = 1e-9) -> Bool {
        [minX - other.minX, minY - other.minY, maxX - other.maxX, maxY - other.maxY].allSatisfy { abs($0) <= limit }
    }
}

extension CMSampleBuffer {
    /// A frame of video with these pixels.
    static func frame(_ buffer: CVPixelBuffer) -> CMSampleBuffer {
        CMSampleBuffer(.image(buffer), formatDescription: nil, timing: CMSampleTimingInfo())
    }

    /// A frame that was dropped.
    static var dropped: CMSampleBuffer {
        CMSampleBuffer(.nothing, formatDescription: nil, timing: CMSampleTimingInfo())
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs the photos of `scripts/fetch-faces`.
    static var needsFaces: Self {
        .enabled("OBSCURA_TEST_FACES names no folder; scripts/fetch-faces makes one") { FacePhoto.folder != nil }
    }
}
