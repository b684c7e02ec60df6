// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

/// A Motion JPEG response: JPEG pictures in a multipart stream, each of which replaces the previous one. `<img>`,
/// `ffplay` and `curl` read it as a video.
///
/// The header of the *next* part is sent directly after each picture: a browser shows a picture only when it sees its
/// end, and would otherwise show it one frame interval late. Therefore no part states its length.
enum MultipartPictures {
    static let boundary = "obscura-picture-3c4f1a9d7e"
    private static let head = "--\(boundary)\r\nContent-Type: image/jpeg\r\n\r\n"

    /// Returns the response, which ends when the pictures end, the client disconnects, or the server stops.
    ///
    /// - Parameters:
    ///   - pictures: JPEG files, requested one at a time, each after the previous one is sent. The sequence should
    ///     replace a picture that is not requested in time with the next one.
    ///   - end: ends `pictures`, also while it is waiting. Called when the response ends for any reason, on any thread,
    ///     possibly more than once.
    static func response<Pictures: AsyncSequence & Sendable>(
        _ pictures: Pictures, for request: Request, end: @escaping @Sendable () -> Void
    ) -> Response where Pictures.Element == ByteBuffer {
        let body = ResponseBody { writer in
            defer { end() }
            try await writer.write(ByteBuffer(string: head))
            let next = ByteBuffer(string: "\r\n" + head)
            try await withGracefulShutdownHandler {
                // Otherwise a lost client would not be detected while the camera delivers no frames.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    for try await picture in pictures {
                        try await writer.write(contentsOf: [picture, next])
                    }
                } onInboundClosed: {
                    end()
                }
            } onGracefulShutdown: {
                end()
            }
            try await writer.write(ByteBuffer(string: "\r\n--\(boundary)--\r\n"))
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "multipart/x-mixed-replace; boundary=\(boundary)", .cacheControl: "no-store",
                // Further requests on this connection are not read.
                .connection: "close",
            ],
            body: body)
    }
}
