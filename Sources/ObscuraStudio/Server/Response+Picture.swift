// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Hummingbird
internal import NIOCore

extension Response {
    /// Returns a response with a JPEG file.
    static func jpeg(_ bytes: ByteBuffer) -> Response {
        Response(status: .ok, headers: [.contentType: "image/jpeg"], body: ResponseBody(byteBuffer: bytes))
    }
}
