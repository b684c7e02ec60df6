// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Obscura
internal import ObscuraWeb

/// The routes for camera pictures over plain HTTP, for `curl`, `ffplay` or an `<img>`.
struct PictureRoutes: Sendable {
    let studio: Studio

    func add(to router: Router<WebContext>) {
        router.get("cameras/{id}/picture.jpg") { request, context in
            let camera = try camera(context)
            let picture = try await camera.picture { try Self.request(request, pictureSize: camera.pictureSize) }
            return Response.jpeg(picture.bytes)
        }
        router.get("cameras/{id}/stream.mjpeg") { request, context in
            let camera = try camera(context)
            // The camera starts before the response begins, so that a camera that cannot be opened is reported as an
            // error.
            try await camera.use {}
            let wanted = try Self.request(request, pictureSize: camera.pictureSize)
            let (pictures, continuation) = AsyncStream.makeStream(
                of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(1))
            let watch = try camera.watch(wanted, end: continuation.finish) { continuation.yield($0.bytes) }
            return MultipartPictures.response(pictures, for: request) {
                continuation.finish()
                withExtendedLifetime(watch) {}
            }
        }
    }

    private func camera(_ context: WebContext) throws -> StudioCamera {
        try studio.camera(try context.parameter("id"))
    }

    /// Returns the picture settings in the query.
    private static func request(_ request: Request, pictureSize: PixelSize?) throws -> PictureRequest {
        let query = request.uri.queryParameters
        let usual = PixelSize(
            width: pictureSize?.width ?? PictureRequest.usualWidth, height: PictureRequest.largestSide)
        let box = try request.box(sidesFrom: PictureRequest.smallestSide) ?? usual
        var picture = PictureRequest(box: box, gravity: .resizeAspect)
        if let name = query["gravity"] {
            guard let gravity = VideoGravity(rawValue: String(name)) else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "gravity",
                    reason: "it must be one of \(VideoGravity.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            picture.gravity = gravity
        }
        if let text = query["mirrored"] {
            guard let isMirrored = ["1": true, "true": true, "0": false, "false": false][String(text)] else {
                throw ObscuraError(.studio, .invalidRequest, subject: "mirrored", reason: "it must be true or false")
            }
            picture.isMirrored = isMirrored
        }
        picture.rate = try request.number("rate", 1...240)
        if let quality = try request.number("quality", 1...100) { picture.quality = quality }
        return picture
    }
}
