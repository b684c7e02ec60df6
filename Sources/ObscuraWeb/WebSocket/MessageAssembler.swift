// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
package import NIOWebSocket

/// Assembles messages from the frames that a page sends. A value type without side effects.
package struct MessageAssembler {
    package enum Event: Equatable {
        /// The message is incomplete.
        case nothing
        case text(String)
        case ping(ByteBuffer)
        case pong
        /// The page closes the connection, with this code; nil if the page sent no code.
        case close(WebSocketErrorCode?)
        /// The page violates the protocol; the connection must be closed with this code.
        case violation(WebSocketErrorCode)
    }

    /// Maximum size of a message, in bytes of UTF-8.
    package let mostBytes: Int
    /// The received part of a message; nil between two messages.
    private var partial: ByteBuffer?

    package init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    package mutating func take(_ frame: WebSocketFrame) -> Event {
        // Browsers mask all frames; unmasked data could be crafted to look like HTTP to a proxy.
        guard frame.maskKey != nil, frame.reservedBits.isEmpty else { return .violation(.protocolError) }
        let data = frame.unmaskedData
        switch frame.opcode {
        case .text where partial == nil: return add(data, to: ByteBuffer(), isLast: frame.fin)
        case .continuation:
            guard let partial else { return .violation(.protocolError) }
            return add(data, to: partial, isLast: frame.fin)
        case .binary where partial == nil: return .violation(.unacceptableData)
        case .ping: return .ping(data)
        case .pong: return .pong
        case .connectionClose: return close(data)
        default: return .violation(.protocolError)
        }
    }

    private mutating func add(_ data: ByteBuffer, to message: ByteBuffer, isLast: Bool) -> Event {
        guard message.readableBytes + data.readableBytes <= mostBytes else { return .violation(.messageTooLarge) }
        var message = message
        message.writeImmutableBuffer(data)
        guard isLast else {
            partial = message
            return .nothing
        }
        partial = nil
        guard let text = String(validating: message.readableBytesView, as: UTF8.self) else {
            return .violation(.dataInconsistentWithMessage)
        }
        return .text(text)
    }

    private func close(_ data: ByteBuffer) -> Event {
        var data = data
        if data.readableBytes == 0 { return .close(nil) }
        guard let number = data.readInteger(as: UInt16.self) else { return .violation(.protocolError) }
        // The codes 1004 to 1006 and 1015 must not be sent, and those below 1000 or above 4999 do not exist.
        let isSendable =
            (1000...1003).contains(number) || (1007...1014).contains(number) || (3000...4999).contains(number)
        guard isSendable, String(validating: data.readableBytesView, as: UTF8.self) != nil else {
            return .violation(.protocolError)
        }
        return .close(WebSocketErrorCode(codeNumber: Int(number)))
    }
}
