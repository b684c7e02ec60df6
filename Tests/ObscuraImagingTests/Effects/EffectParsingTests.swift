// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraImaging
import ObscuraMedia
import Testing

@Suite struct EffectParsingTests {
    @Test func `names and values are those of the effects`() throws {
        let effects: [(String, VideoEffect)] = [
            ("rosy", .rosy), ("mono", .mono), ("sepia", .sepia), ("invert", .invert), ("blur:3", .blur(radius: 3)),
            ("blur", .blur(radius: 8)), ("pixellate:20", .pixellate(side: 20)), ("pixellate", .pixellate(side: 16)),
            ("text:Hello", try .text("Hello")), ("text:12:00", try .text("12:00")),
            ("text:two\\nlines@center,bottom", try .text("two\nlines", at: OverlayPlacement(x: .middle, y: .end(0)))),
            ("text:me@home", try .text("me@home")), ("time", try .time()), ("time:%H:%M", try .time(format: "%H:%M")),
            ("time:%H@right,40", try .time(at: OverlayPlacement(x: .end(0), y: .start(40)), format: "%H")),
        ]
        for (text, effect) in effects { #expect(try VideoEffect(parsing: text) == effect, "\(text)") }
        #expect(try VideoEffect(parsing: "ripple").name == "ripple")
        #expect(try VideoEffect(parsing: "ripple:5").name == "ripple")
    }

    @Test func `a name that is none brings those that are`() throws {
        for text in ["", ":", "rose", "Rosy", " rosy", "blur8", "mosaic:8"] {
            let error = #expect(throws: ObscuraError.self) { try VideoEffect(parsing: text) }
            #expect(error?.code == .invalidRequest && error?.reason == "there is no such effect", "\(text)")
            for form in VideoEffect.forms { #expect(error?.advice?.contains(form) == true) }
        }
        #expect(VideoEffect.forms.contains("blur[:RADIUS]") && VideoEffect.forms.contains("lut:FILE.cube"))
    }

    @Test func `a value that makes no sense brings what is allowed`() throws {
        for (text, reason) in [
            ("blur:x", "'x' is not a whole number from 1 to 10000"),
            ("blur:0", "'0' is not a whole number from 1 to 10000"),
            ("blur:2.5", "'2.5' is not a whole number from 1 to 10000"),
            ("blur:99999999999999999999", "'99999999999999999999' is not a whole number from 1 to 10000"),
            ("pixellate:1", "'1' is not a whole number from 2 to 10000"),
            ("ripple:500", "'500' is not a whole number from 1 to 120"),
            ("blur:", "a value is missing"), ("lut", "a value is missing"), ("lut:", "a value is missing"),
            ("overlay", "a value is missing"), ("text", "a value is missing"), ("rosy:3", "rosy takes no value"),
            ("mono:", "mono takes no value"),
        ] {
            let error = #expect(throws: ObscuraError.self) { try VideoEffect(parsing: text) }
            #expect(error?.code == .invalidRequest && error?.reason == reason, "\(text): \(error?.reason ?? "")")
            #expect(error?.subject == "effect '\(text)'")
        }
    }

    @Test func `files are read, laid where they are to be, and named when they cannot be`() throws {
        let path = NSTemporaryDirectory() + "obscura-\(UUID().uuidString)"
        defer { for name in [path + ".png", path + ".cube"] { try? FileManager.default.removeItem(atPath: name) } }
        var layer = try PixelBuffer(format: .bgra, width: 3, height: 2)
        try layer.fill { _, _, _ in 255 }
        try Data(PNGEncoder().encode(layer)).write(to: URL(fileURLWithPath: path + ".png"))
        try Data("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n".utf8).write(to: URL(fileURLWithPath: path + ".cube"))
        let frame = try PixelBuffer(format: .bgra, width: 20, height: 10)
        for (place, corner) in [("", (0, 0)), ("@right,bottom", (17, 8)), ("@center,3", (8, 3))] {
            let effect = try VideoEffect(parsing: "overlay:\(path).png\(place)")
            let made = try effect.renderer.render(frame, EffectContext()).packedBytes()
            let first = try #require(made.firstIndex(of: 255)) / 4
            #expect((first % 20, first / 20) == corner)
        }
        #expect(try VideoEffect(parsing: "lut:\(path).cube") == .lut(file: path + ".cube"))

        for text in ["overlay:/nowhere/at-all.png", "lut:/nowhere/at-all.cube"] {
            let error = #expect(throws: ObscuraError.self) { try VideoEffect(parsing: text) }
            #expect(error?.code == .unreadable && error?.subject.hasPrefix("/nowhere") == true)
        }
        let error = #expect(throws: ObscuraError.self) { try VideoEffect(parsing: "overlay:\(path).cube") }
        #expect(error?.code == .damaged && error?.subject == path + ".cube")
    }
}
