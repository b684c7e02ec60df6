// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

/// Pictures one after the other, each of which replaces the one before: what `<img>`, `ffplay` and `curl` take for a
/// film.
///
/// The head of the *next* part goes out right behind each picture: a browser shows a picture only when it sees where it
/// ends, and would else show each one late by the time between two. So no part can say how long it will be.
enum MultipartPictures {
    static let boundary = "obscura-picture-3c4f1a9d7e"
    private static let head = "--\(boundary)\r\nContent-Type: image/jpeg\r\n\r\n"

    /// It ends when the pictures end, the client goes, or the server stops.
    ///
    /// - Parameters:
    ///   - pictures: JPEG files. One that nobody takes in time should be replaced by the next: they are asked for one
    ///     at a time, each when the one before is on its way.
    ///   - end: makes `pictures` end, wherever they wait; it may be called from anywhere, and more than once. It is
    ///     called when the answer is over in any way.
    static func response<Pictures: AsyncSequence & Sendable>(
        _ pictures: Pictures, for request: Request, end: @escaping @Sendable () -> Void
    ) -> Response where Pictures.Element == ByteBuffer {
        let body = ResponseBody { writer in
            defer { end() }
            try await writer.write(ByteBuffer(string: head))
            let next = ByteBuffer(string: "\r\n" + head)
            try await withGracefulShutdownHandler {
                // An idle camera sends nothing by which one would notice that nobody is there any more.
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
                // What comes behind such a request is not looked at.
                .connection: "close",
            ],
            body: body)
    }
}
