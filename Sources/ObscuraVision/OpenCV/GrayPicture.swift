// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraImaging
internal import ObscuraMedia

/// The luma of a picture: its plane of 8 bits if there is one, otherwise a conversion.
struct GrayPicture: Sendable {
    private let buffer: PixelBuffer

    var size: PixelSize { buffer.size }

    init(_ picture: PixelBuffer) throws {
        switch picture.format {
        case .gray8, .nv12, .nv21, .nv16, .i420, .i422, .i444: buffer = picture
        case let format where format.isCompressed: throw ObscuraError.compressed(format)
        default: buffer = try ImageTransformer.transform(picture, ImageRequest(pixelFormat: .gray8))
        }
    }

    /// Runs `body` with the luma, which is valid only during the call.
    func withPicture<R, E: Error>(_ body: (OCVPicture) throws(E) -> R) throws(E) -> R {
        try buffer.withPlanes { planes throws(E) in try body(buffer.picture(planes[0])) }
    }
}

extension PixelBuffer {
    /// Returns a plane of full height, for OpenCV.
    func picture(_ plane: PixelStorage.Plane) -> OCVPicture {
        OCVPicture(
            bytes: UnsafePointer(plane.base.assumingMemoryBound(to: UInt8.self)), width: Int32(width),
            height: Int32(height), bytesPerRow: plane.bytesPerRow)
    }
}
