// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The orientation and the size of the images of a movie.
struct ImageForm: Sendable {
    /// Whether frames are made upright.
    var isUpright = false
    /// The largest size; a side of 0 is not limited.
    var maximumSize = CGSize.zero

    /// Returns the image of a frame.
    func image(of frame: VideoFrame) throws -> CGImage {
        var request = ImageRequest(pixelFormat: .bgra)
        var size = frame.buffer.size
        if isUpright {
            request.orientation = frame.attachments.uprightTurn
            request.isMirrored = frame.attachments.isMirrored
            if request.orientation.isTransposed { size = size.transposed }
        }
        request.size = limited(size)
        request.fit = .stretch
        return CGImage(try ImageTransformer.transform(frame.buffer, request))
    }

    /// The largest size of the same shape; nil for the size itself, since images are not enlarged.
    private func limited(_ size: PixelSize) -> PixelSize? {
        let sides = [(size.width, maximumSize.width), (size.height, maximumSize.height)]
        let factors = sides.filter { $0.1 > 0 }.map { Double($0.1) / Double($0.0) }
        guard let factor = factors.min(), factor < 1 else { return nil }
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
        return PixelSize(width: side(size.width), height: side(size.height))
    }
}
