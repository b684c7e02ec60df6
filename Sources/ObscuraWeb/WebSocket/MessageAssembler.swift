// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import NIOCore
package import NIOWebSocket

/// Makes messages of the frames that a page sends. A pure value: a frame goes in, and out comes what it means.
package struct MessageAssembler {
    package enum Event: Equatable {
        /// The message is not whole yet.
        case nothing
        case text(String)
        case ping(ByteBuffer)
        case pong
        /// The page closes; nil where it gives no reason.
        case close(WebSocketErrorCode?)
        /// The page breaks the rules, and is to be closed with this code.
        case violation(WebSocketErrorCode)
    }

    /// In bytes of UTF-8.
    package let mostBytes: Int
    /// The part of a message that is here; nil between two messages.
    private var partial: ByteBuffer?

    package init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    package mutating func take(_ frame: WebSocketFrame) -> Event {
        // A browser masks whatever it sends; what is not masked could be made to look like HTTP to a proxy.
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
        // 1004 to 1006 and 1015 are never sent, and below 1000 and above 4999 there are none.
        let isSendable =
            (1000...1003).contains(number) || (1007...1014).contains(number) || (3000...4999).contains(number)
        guard isSendable, String(validating: data.readableBytesView, as: UTF8.self) != nil else {
            return .violation(.protocolError)
        }
        return .close(WebSocketErrorCode(codeNumber: Int(number)))
    }
}
