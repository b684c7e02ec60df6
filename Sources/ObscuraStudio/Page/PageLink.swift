// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore

/// The way to one page. Any thread; nothing blocks, and nothing calls back. Messages go out in the order of the calls.
protocol PageLink: Sendable {
    func send(_ text: String)
    /// One message of the header and the bytes, which are not copied.
    func send(header: ByteBuffer, _ bytes: ByteBuffer)
    /// Ends it: what the page said makes no sense.
    func closeAsNonsense()
}
