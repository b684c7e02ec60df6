// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ArgumentParser
import Foundation
import Obscura
import ObscuraDrivers
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura photo`, as its users run it.
@Suite(.hangLimit) struct PhotoToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    @Test(.enabled("exiftool is not installed") { ExifTool.isInstalled })
    func `a photo says what it was told to say`() async throws {
        let outcome = try await obscura(
            "photo", "pattern:640x480@30", "-o", "out/photo.jpg", "--location=-33.8567844,151.2152967,-3.5",
            "--title", "Die Oper", "--description", "größer", "--author", "Ada", "--copyright", "© Ada",
            "--language", "deu", "--quality", "80")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("out/photo.jpg: 640x480, ") && outcome.output.isEmpty)
        let tool = try ExifTool(folder("out/photo.jpg"))
        #expect(abs(try #require(tool.number("Composite:GPSLatitude")) + 33.8567844) < 1e-6)
        #expect(abs(try #require(tool.number("Composite:GPSLongitude")) - 151.2152967) < 1e-6)
        #expect(tool.number("Composite:GPSAltitude") == -3.5)
        #expect(tool["XMP-dc:Title"] == "Die Oper" && tool["XMP-dc:Description"] == "größer")
        #expect(tool["XMP-dc:Creator"] == "Ada" && tool["XMP-dc:Rights"] == "© Ada" && tool["XMP-dc:Language"] == "deu")
        // The pattern is no model of a camera.
        #expect(tool["IFD0:Model"] == nil && tool["IFD0:Software"] == "Obscura \(ObscuraBuild.version)")
        #expect(tool["Composite:SubSecDateTimeOriginal"] != nil)
        #expect(folder.names(in: "out") == ["photo.jpg"])
    }

    @Test(.enabled("exiftool is not installed") { ExifTool.isInstalled })
    func `a photo has no date and no software if it is told so, but what it was told to say`() async throws {
        let outcome = try await obscura(
            "photo", "pattern:320x240@30", "-o", "bare.jpg", "--no-metadata", "--metadata", "title=Die See", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let tool = try ExifTool(folder("bare.jpg"))
        #expect(tool["XMP-dc:Title"] == "Die See")
        #expect(tool["IFD0:Software"] == nil && tool["Composite:SubSecDateTimeOriginal"] == nil)
        #expect(tool["ExifIFD:DateTimeOriginal"] == nil)
    }

    @Test func `a burst has numbered names, and its photos follow one another`() async throws {
        let outcome = try await obscura(
            "photo", "pattern:320x240@30", "-o", "shot.png", "--burst", "4", "--interval", "100ms", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(folder.names() == ["shot-1.png", "shot-2.png", "shot-3.png", "shot-4.png"])
        let numbers = try folder.names().map { name in
            try #require(PatternScene.readSequence(of: PNGDecoder.decode(folder.bytes(of: name))))
        }
        #expect(zip(numbers.dropFirst(), numbers).allSatisfy { $0 > $1 }, "\(numbers)")
        let named = try await obscura("photo", "pattern:320x240@30", "-o", "b/%03d.jpg", "--burst", "2", "-q")
        #expect(named.code == 0 && folder.names(in: "b") == ["001.jpg", "002.jpg"])
    }

    @Test func `size and turn are as asked`() async throws {
        let turned = try await obscura(
            "photo", "pattern:320x240", "-o", "a.jpg", "--orientation", "right", "--size", "60x80", "--mirror")
        #expect(turned.code == 0, "\(turned.errors)")
        let info = try StillInfo(contentsOf: folder("a.jpg"))
        #expect(info.size == PixelSize(width: 60, height: 80) && info.orientation == .up)
        let stored = try await obscura(
            "photo", "pattern:320x240", "-o", "b.jpg", "--orientation", "right", "--exif-orientation")
        #expect(stored.code == 0)
        let other = try StillInfo(contentsOf: folder("b.jpg"))
        #expect(other.size == PixelSize(width: 320, height: 240) && other.orientation == .right)
        let largest = try await obscura("photo", "pattern", "-o", "c.jpg", "--size", "largest")
        #expect(largest.code == 0)
        #expect(try StillInfo(contentsOf: folder("c.jpg")).size == PixelSize(width: 1280, height: 720))
    }

    @Test func `a file that is there stays, unless it may be replaced`() async throws {
        _ = try await obscura.shell("echo old > photo.jpg")
        let refused = try await obscura("photo", "pattern:320x240")
        #expect(refused.code == 1 && refused.errors.contains("photo.jpg: it exists already"))
        #expect(try folder.text(of: "photo.jpg") == "old\n")
        let replaced = try await obscura("photo", "pattern:320x240", "--overwrite")
        #expect(replaced.code == 0)
        #expect(try StillInfo(contentsOf: folder("photo.jpg")).kind == .jpeg)
    }

    @Test func `a flash where there is none, and a source that is none, are failures`() async throws {
        let flash = try await obscura("photo", "pattern", "--flash", "on")
        #expect(flash.code == 1 && flash.errors.contains("has no"), "\(flash.errors)")
        let source = try await obscura("photo", "nowhere.mp4")
        #expect(source.code == 1 && folder.names().isEmpty)
    }

    @Test(arguments: [
        ["--burst", "0"], ["--interval", "1s"], ["-o", "photo"], ["-o", "photo.y4m"], ["--quality", "101"],
        ["-o", "a.png", "--quality", "50"], ["--location", "91,0"], ["--location", "1"], ["--location", "1,2,3,4"],
        ["--location", "a,b"], ["--size", "big"], ["--size", "0x1"], ["--fit", "fill"], ["--flash", "maybe"],
        ["-o", "a%x.jpg"],
    ])
    func `what makes no sense is refused before anything is opened`(arguments: [String]) throws {
        #expect(throws: (any Error).self) { try PhotoCommand.parse(["pattern"] + arguments) }
        do { _ = try PhotoCommand.parse(arguments) } catch { #expect(PhotoCommand.exitCode(for: error).rawValue == 64) }
    }

    @Test func `Ctrl-C ends a burst with 130, and its photos are whole`() async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" photo pattern:320x240@30 -o p/s.jpg --burst 10000 --interval 50ms & tool=$!
            until [ -e p/s-3.jpg ]; do read -rt 0.02 <> <(:); done
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130, "\(outcome.errors)")
        let names = folder.names(in: "p")
        #expect(names.count >= 3)
        for name in names {
            #expect(try JPEGDecoder.decode(folder.bytes(of: "p/\(name)")).size == PixelSize(width: 320, height: 240))
        }
    }

    @Test("A source without pictures, and a camera without an LED are reported as such")
    func missingParts() async throws {
        let tone = try await obscura("photo", "tone")
        #expect(tone.code == 1 && tone.errors.contains("it has audio but no video"), "\(tone.errors)")
        let dark = try await obscura("photo", "pattern", "--flash", "on")
        #expect(dark.code == 1 && dark.errors.contains("it has no LED"), "\(dark.errors)")
        #expect(try await obscura("photo", "pattern", "-o", "").code == 64)
        #expect(folder.names().isEmpty)
    }
}
