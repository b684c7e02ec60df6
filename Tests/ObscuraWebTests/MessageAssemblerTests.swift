// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import NIOCore
import NIOWebSocket
import Testing

@testable import ObscuraWeb

@Suite struct MessageAssemblerTests {
    private func frame(
        _ opcode: WebSocketOpcode, _ bytes: [UInt8] = [], fin: Bool = true, isMasked: Bool = true,
        reserved: WebSocketFrame.ReservedBits = []
    ) -> WebSocketFrame {
        let key: WebSocketMaskingKey = [1, 2, 3, 4]
        var data = ByteBuffer(bytes: bytes)
        if isMasked { data.webSocketMask(key) }
        var frame = WebSocketFrame(fin: fin, opcode: opcode, maskKey: isMasked ? key : nil, data: data)
        frame.reservedBits = reserved
        return frame
    }

    private func text(_ text: String, fin: Bool = true) -> WebSocketFrame { frame(.text, Array(text.utf8), fin: fin) }

    @Test func aMessageInOneFrame() {
        var assembler = MessageAssembler(mostBytes: 100)
        #expect(assembler.take(text("hällo")) == .text("hällo"))
        #expect(assembler.take(text("")) == .text(""))
    }

    @Test func aMessageInManyFramesEvenInTheMiddleOfALetter() {
        var assembler = MessageAssembler(mostBytes: 100)
        let bytes = Array("hällo".utf8)
        #expect(assembler.take(frame(.text, Array(bytes[..<2]), fin: false)) == .nothing)
        // Control frames may come in between.
        #expect(assembler.take(frame(.ping, [7])) == .ping(ByteBuffer(bytes: [7])))
        #expect(assembler.take(frame(.pong)) == .pong)
        #expect(assembler.take(frame(.continuation, Array(bytes[2..<4]), fin: false)) == .nothing)
        #expect(assembler.take(frame(.continuation, Array(bytes[4...]))) == .text("hällo"))
        #expect(assembler.take(text("next")) == .text("next"))
    }

    @Test func aMessageThatIsTooLongIsRefusedWhereverItBecomesSo() {
        var one = MessageAssembler(mostBytes: 4)
        #expect(one.take(text("1234")) == .text("1234"))
        #expect(one.take(text("12345")) == .violation(.messageTooLarge))
        var many = MessageAssembler(mostBytes: 4)
        #expect(many.take(text("123", fin: false)) == .nothing)
        #expect(many.take(frame(.continuation, [49, 50], fin: false)) == .violation(.messageTooLarge))
    }

    @Test func whatBreaksTheRulesIsAViolation() {
        var assembler = MessageAssembler(mostBytes: 100)
        #expect(assembler.take(frame(.text, [65], isMasked: false)) == .violation(.protocolError))
        #expect(assembler.take(frame(.ping, [], isMasked: false)) == .violation(.protocolError))
        #expect(assembler.take(frame(.continuation)) == .violation(.protocolError))
        #expect(assembler.take(frame(.binary, [1])) == .violation(.unacceptableData))
        #expect(assembler.take(frame(.text, [65], reserved: .rsv1)) == .violation(.protocolError))
        for number in [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF] {
            guard let opcode = WebSocketOpcode(encodedWebSocketOpcode: UInt8(number)) else { continue }
            #expect(assembler.take(frame(opcode)) == .violation(.protocolError), "\(number)")
        }
        #expect(assembler.take(text("a", fin: false)) == .nothing)
        #expect(assembler.take(text("b")) == .violation(.protocolError))
        #expect(assembler.take(frame(.binary)) == .violation(.protocolError))
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80], [65, 0x80]] as [[UInt8]]
    )
    func textThatIsNoUTF8IsRefused(bytes: [UInt8]) {
        var assembler = MessageAssembler(mostBytes: 100)
        #expect(assembler.take(frame(.text, bytes)) == .violation(.dataInconsistentWithMessage))
    }

    @Test func aClosingSaysWhyOrNot() {
        var assembler = MessageAssembler(mostBytes: 100)
        #expect(assembler.take(frame(.connectionClose)) == .close(nil))
        #expect(assembler.take(frame(.connectionClose, [0x03, 0xE8])) == .close(.normalClosure))
        #expect(assembler.take(frame(.connectionClose, [0x03, 0xE9, 65])) == .close(.goingAway))
        #expect(assembler.take(frame(.connectionClose, [0x0F, 0xA0])) == .close(.unknown(4000)))
        for bytes in [
            [0x03], [0, 0], [0x03, 0xE7], [0x03, 0xED], [0x03, 0xEE], [0x03, 0xF7], [0x13, 0x88], [0x03, 0xE8, 0xFF],
        ] {
            #expect(assembler.take(frame(.connectionClose, bytes.map(UInt8.init))) == .violation(.protocolError))
        }
    }
}
