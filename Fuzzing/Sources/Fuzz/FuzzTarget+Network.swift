// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import NIOCore
import NIOWebSocket

@testable import ObscuraBase
@testable import ObscuraBroadcast
@testable import ObscuraHLS
@testable import ObscuraMovies
@testable import ObscuraStudio
@testable import ObscuraWeb

extension FuzzTarget {
    /// Addresses of cameras and of broadcasts.
    static let addresses = text(
        "rtsp://user:longsecret@[::1]:8554/live?transport=udp#x", "https://user:longsecret@camera.example/live.m3u8",
        "srt://host:9000?mode=listener&passphrase=0123456789&latency=120"
    ) { text in
        // A quoted address ends differently once its password is masked.
        if !text.contains("\"") && !text.contains("'") {
            let masked = AddressMask.masked(text)
            check(AddressMask.masked(masked) == masked, "masking a masked address changes it")
        }
        let location = try? MovieLocation(text)
        _ = location?.description
        _ = CertificateFingerprint(text)
        let target = try? BroadcastTarget(text)
        // A password that also occurs elsewhere in the address may be shown there.
        if let password = NetworkAddress(text)?.password, password.utf8.count > 8,
            text.ranges(of: password).count == 1
        {
            check(target?.name.contains(password) != true, "the name contains the password")
            // In a message an address ends at a space.
            for quote in ["", "\"", "'"] where !text.contains(where: \.isWhitespace) {
                check(
                    !AddressMask.masked("\(quote)\(text)\(quote): refused").contains(password),
                    "a message contains the password")
            }
        }
        return location != nil || target != nil
    }

    /// Media playlists, and the names of the files of HLS.
    static let hls = text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:1.0,\nlive-000007.m4s\n", "live-000007.m4s"
    ) { text in
        let list = SegmentList(text)
        if let list {
            check(list.count >= 0 && list.first >= 0 && list.last >= list.first - 1, "the playlist has no order")
            check(
                list.targetDuration > .zero && list.targetDuration <= .seconds(60),
                "the target duration is out of range")
            _ = list.reaches(list.last)
            check(SegmentList(list.servedText)?.count == list.count, "the served playlist has other segments")
        }
        let name = HLSName(text)
        if let name { check(name.text == text && !text.contains("/"), "the name of a file is a path") }
        return list != nil || name != nil
    }

    /// The first line of a request; on the second line, the value of a header for byte ranges or entity tags.
    static let http = text("/media/a.jpg?_HLS_msn=7\nbytes=0-99") { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let target = try? RequestTarget(lines[0])
        if let target {
            check(
                target.path.hasPrefix("/") && !target.path.split(separator: "/").contains(".."),
                "the path leads elsewhere")
            _ = target.values(of: "_HLS_msn")
        }
        guard lines.count > 1 else { return target != nil }
        for size in [0, 1, 1000, Int64.max] {
            guard case .part(let range) = ByteRange(lines[1], size: size) else { continue }
            check(
                !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "the range is outside of the file")
        }
        _ = EntityTag.isNamed("\"a-1\"", in: lines[1])
        return target != nil
    }

    /// The frames of a WebSocket: a byte with flags and type, one with the length, and the contents; and the messages
    /// of a page in them.
    static let webSocket = FuzzTarget(
        .bytes([0x81, 71] + #"{"type":"watch","tiles":[{"tile":1,"camera":"a","width":9,"height":9}]}"#.utf8)
    ) { bytes in
        let mostBytes = 200
        var messages = MessageAssembler(mostBytes: mostBytes)
        var (rest, isMessage) = (bytes[...], false)
        while rest.count >= 2 {
            let (head, length) = (rest.removeFirst(), Int(rest.removeFirst()))
            guard let opcode = WebSocketOpcode(encodedWebSocketOpcode: head & 0x0f) else { return isMessage }
            let mask: WebSocketMaskingKey? = head & 0x20 == 0 ? [1, 2, 3, 4] : nil
            var contents = ByteBuffer(bytes: rest.prefix(length))
            if let mask { contents.webSocketMask(mask) }
            let frame = WebSocketFrame(
                fin: head & 0x80 != 0, rsv1: head & 0x40 != 0, opcode: opcode, maskKey: mask, data: contents)
            rest = rest.dropFirst(length)
            switch messages.take(frame) {
            case .text(let text):
                check(text.utf8.count <= mostBytes, "a message is longer than allowed")
                if (try? JSONDecoder().decode(PageMessage.self, from: Data(text.utf8))) != nil { isMessage = true }
            case .close, .violation: return isMessage
            case .nothing, .ping, .pong: continue
            }
        }
        return isMessage
    }
}
