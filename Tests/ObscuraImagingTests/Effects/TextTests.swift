// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct TextTests {
    private let picture = PixelSize(width: 640, height: 360)
    private let plain = TextStyle(font: "DejaVu Sans", size: .pixels(32), background: nil)

    private func layer(_ text: String, _ style: TextStyle? = nil) throws -> PixelBuffer {
        try #require(try TextLayers(style ?? plain).layer(for: text, in: picture))
    }

    /// The columns and rows of the pixels that are seen.
    private func extent(_ layer: PixelBuffer) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        let alphas = layer.packedBytes().enumerated().filter { $0.offset % 4 == 3 && $0.element > 0 }
        let places = alphas.map { ($0.offset / 4 % layer.width, $0.offset / 4 / layer.width) }
        guard let left = places.map(\.0).min(), let right = places.map(\.0).max(), let top = places.map(\.1).min(),
            let bottom = places.map(\.1).max()
        else { return nil }
        return (left...right, top...bottom)
    }

    @Test func `a text is drawn, and lies inside of its box with a margin`() throws {
        for text in ["Hello", "x", "WWWWWW", "jgpqy", "fÄÖÜß", "1\n22\n333", "Ångström, çà et là: 12 °C — “€”"] {
            let layer = try layer(text)
            let seen = try #require(extent(layer))
            #expect(seen.columns.lowerBound >= 4 && seen.columns.upperBound < layer.width - 4, "\(text)")
            #expect(seen.rows.lowerBound >= 4 && seen.rows.upperBound < layer.height - 4, "\(text)")
        }
    }

    @Test func `umlauts have their dots, and each letter its own shape`() throws {
        let (u, umlaut) = (try #require(extent(layer("u"))), try #require(extent(layer("ü"))))
        #expect(umlaut.rows.lowerBound < u.rows.lowerBound - 2)
        #expect(umlaut.rows.upperBound == u.rows.upperBound)
        let shapes = try "abcdefgäöüßéñ".map { try layer(String($0)).packedBytes() }
        #expect(Set(shapes).count == shapes.count)
    }

    @Test func `a longer text is wider, another line is higher, and the size is that of the letters`() throws {
        let (one, two, lines) = (try layer("A"), try layer("AA"), try layer("A\nA"))
        #expect(two.width > one.width + 15 && two.height == one.height)
        #expect(lines.width == one.width && lines.height >= one.height + 32)
        #expect(try layer("A\r\nA").packedBytes() == lines.packedBytes())
        var large = plain
        large.size = .pixels(64)
        let (small, big) = (try #require(extent(one)).rows.count, try #require(extent(layer("A", large))).rows.count)
        #expect(abs(big - 2 * small) <= 2)
        // A capital of DejaVu is 0.73 of the size.
        #expect((22...25).contains(small))
        var share = plain
        share.size = .share(32.0 / 360)
        #expect(try layer("A", share).packedBytes() == one.packedBytes())
    }

    @Test func `colours and alpha are those of the style`() throws {
        var style = plain
        style.color = BGRAPixel(red: 10, green: 200, blue: 30, alpha: 255)
        style.background = BGRAPixel(red: 90, green: 0, blue: 255, alpha: 128)
        let bytes = try layer("█ ", style).packedBytes()
        let pixels = Set(stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) })
        #expect(pixels.contains([30, 200, 10, 255]))
        #expect(pixels.contains([255, 0, 90, 128]))
        #expect(bytes.prefix(4) == [255, 0, 90, 128])
        let clear = try layer("A").packedBytes()
        #expect(clear.prefix(4) == [0, 0, 0, 0] && clear.contains(255))
    }

    @Test func `nothing to draw is no layer`() throws {
        for text in ["", "\n", "\n\n", "\u{1}\u{7f}"] {
            #expect(try TextLayers(plain).layer(for: text, in: picture) == nil, "\(text.debugDescription)")
        }
        let frame = try PixelBuffer.noise(.bgra, 64, 36)
        let none = try VideoEffect.text(style: plain) { _ in "" }
        #expect(try none.renderer.render(frame, EffectContext()).isIdentical(to: frame))
    }

    @Test func `a text is drawn once while it stays the same`() throws {
        let layers = try TextLayers(plain)
        let first = try #require(try layers.layer(for: "12:00", in: picture))
        #expect(try layers.layer(for: "12:00", in: picture)?.isIdentical(to: first) == true)
        let second = try #require(try layers.layer(for: "12:01", in: picture))
        #expect(!second.isIdentical(to: first) && second.packedBytes() != first.packedBytes())
        #expect(try layers.layer(for: "12:01", in: PixelSize(width: 64, height: 36))?.isIdentical(to: second) == false)
    }

    @Test func `an endless text and odd sizes do no harm`() throws {
        let endless = String(repeating: "W", count: 1_000_000)
        let long = try layer(endless)
        #expect(long.width == 2 * picture.width)
        let high = try layer(String(repeating: "W\n", count: 1_000_000))
        #expect(high.height == 2 * picture.height)
        for size in [TextStyle.Size.pixels(0), .pixels(-5), .pixels(.nan), .pixels(.infinity), .share(1e300)] {
            var style = plain
            style.size = size
            let layer = try layer("Ab", style)
            #expect(layer.width <= 2 * picture.width && layer.height <= 2 * picture.height)
        }
        for size in effectSizes {
            let frame = try PixelBuffer.strayNoise(.i420, size)
            #expect(try VideoEffect.text("Ab").renderer.render(frame, EffectContext()).size == size)
        }
    }

    @Test func `without a font the error says what to do`() throws {
        let path = NSTemporaryDirectory() + "obscura-\(UUID().uuidString).conf"
        try "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig></fontconfig>\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: ObscuraError.self) { try TextLayers(plain, configuration: path) }
        #expect(error?.code == .noFont && error?.remedy == .installPackages(["fonts-dejavu-core"]))
    }

    @Test func `a text that is no font name has an advice of its own`() {
        let error = #expect(throws: ObscuraError.self) { try TextLayers(TextStyle(font: "DejaVu Sans:size=big")) }
        #expect(error?.code == .noFont && error?.description.contains("DejaVu Sans:bold") == true, "\(error as Any)")
    }

    @Test func `a file that is no font is named`() throws {
        let path = NSTemporaryDirectory() + "obscura-\(UUID().uuidString).ttf"
        for (content, file) in [("no font at all", path), ("", path), ("", "/nowhere/at-all.ttf")] {
            if file == path { try content.write(toFile: path, atomically: true, encoding: .utf8) }
            let error = #expect(throws: ObscuraError.self) { try VideoEffect.text("A", style: TextStyle(font: file)) }
            #expect(error?.code == .noFont && error?.subject == file)
        }
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `the text of a frame is the frame's, and the time is that of the wall`() throws {
        let frame = try PixelBuffer.noise(.bgra, 320, 180)
        let counted = try VideoEffect.text(style: plain) { "frame \($0.sequence)" }
        let made = try (1...2).map { try counted.renderer.render(frame, EffectContext(sequence: $0)).packedBytes() }
        #expect(made[0] != made[1])
        #expect(
            made[0]
                == (try VideoEffect.text("frame 1", style: plain).renderer.render(frame, EffectContext()).packedBytes())
        )

        // A frame of two seconds ago.
        let noon = WallTime(nanosecondsSince1970: 1_772_366_400_000_000_000, secondsFromUTC: 3600)
        let context = EffectContext(hostTime: HostTime(nanoseconds: 5_000_000_000))
        let wall = context.wallTime(now: noon, host: HostTime(nanoseconds: 7_000_000_000))
        #expect(wall.formatted("%Y-%m-%d %H:%M:%S %z") == "2026-03-01 12:59:58 +0100")
        #expect(wall.formatted("%A, %j") == "Sunday, 060")
        // No machine has this time zone, so its name is its offset.
        let other = WallTime(nanosecondsSince1970: 1_772_366_400_000_000_000, secondsFromUTC: 82_740)
        #expect(other.formatted("%H:%M %Z") == "10:59 +22:59")
        let local = WallTime.local(nanosecondsSince1970: 1_772_366_400_000_000_000)
        var (seconds, parts) = (time_t(1_772_366_400), tm())
        localtime_r(&seconds, &parts)
        #expect(local.formatted("%Z %s") == "\(String(cString: parts.tm_zone)) 1772366400")
        #expect(wall.formatted("") == "" && wall.formatted(String(repeating: "%Y", count: 500)) == "")
        #expect(WallTime(nanosecondsSince1970: -1, secondsFromUTC: 0).formatted("%Y %S") == "1969 59")
        #expect(try VideoEffect.time().renderer.render(frame, EffectContext()).packedBytes() != frame.packedBytes())
    }

    @Test func `texts are equal by what they write, and how`() throws {
        #expect(try VideoEffect.text("a") == .text("a"))
        #expect(try VideoEffect.text("a") != .text("b"))
        #expect(try VideoEffect.text("a") != .text("a", at: .center))
        #expect(try VideoEffect.time() == .time())
        #expect(try VideoEffect.time() != .time(format: "%H"))
    }
}
