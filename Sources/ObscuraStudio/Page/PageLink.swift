// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import NIOCore

/// The connection to one page. Callable on any thread; never blocks or calls back. Messages are sent in call order.
protocol PageLink: Sendable {
    func send(_ text: String)
    /// Sends one message of the header followed by the bytes, without copying them.
    func send(header: ByteBuffer, _ bytes: ByteBuffer)
    /// Closes the connection after an invalid message from the page.
    func closeAsNonsense()
}
