// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraDrivers
import TestSupport
import Testing

@testable import ObscuraCLI

/// The binary, on the built-in camera.
@Suite(.hangLimit) struct ToolTests {
    private let folder: TemporaryFolder
    private let obscura: Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = Tool(folder: folder)
    }

    private func statistics(_ outcome: Tool.Outcome) throws -> ExtractionStatistics {
        try JSONDecoder().decode(ExtractionStatistics.self, from: Data(outcome.output))
    }

    @Test("The pattern goes to numbered files, in order, and its digits say so")
    func files() async throws {
        let outcome = try await obscura(
            "extract", "pattern:320x240@100", "--count", "12", "-o", "p/%04d.png", "--stats", "json",
            "--timestamps", "t.tsv")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(folder.names(in: "p") == (1...12).map { "00" + ($0 < 10 ? "0" : "") + "\($0).png" })
        #expect(outcome.errors.contains("12 frames in") && outcome.errors.contains("320x240 i420"))
        let statistics = try statistics(outcome)
        #expect(statistics.ending == "limitReached" && statistics.framesWritten == 12 && statistics.error == nil)
        #expect(statistics.size?.width == 320 && statistics.size?.height == 240)
        #expect(statistics.stages["encode"]?.count == 12 && statistics.stages["write"]?.count == 12)
        let account = try #require(statistics.reader)
        #expect(
            account.offered == account.delivered + (account.dropped["total"] ?? 0) + account.skipped
                + account.waiting + account.inHand)
        let lines = try folder.text(of: "t.tsv").split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.map { $0[0] } == (1...12).map { "\($0)" })
        let times = lines.compactMap { Double($0[2]) }
        #expect(times == times.sorted() && Set(times).count == 12)
    }

    @Test("Raw frames are whole and in order, and their numbers can be read")
    func raw() async throws {
        let outcome = try await obscura(
            "extract", "pattern:350x48@50", "--count", "5", "-o", "-", "--pixel-format", "gray8", "-q")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let size = 350 * 48
        try #require(outcome.output.count == 5 * size)
        var numbers: [UInt64] = []
        for index in 0..<5 {
            let bytes = Array(outcome.output[index * size..<(index + 1) * size])
            var picture = try PixelBuffer(format: .gray8, width: 350, height: 48)
            let bytesPerRow = picture.bytesPerRow(ofPlane: 0)
            try picture.withMutableBytes(ofPlane: 0) { target in
                for (index, byte) in bytes.enumerated() {
                    let offset = index / 350 * bytesPerRow + index % 350
                    target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
                }
            }
            numbers.append(try #require(PatternScene.readSequence(of: picture)))
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 5)
    }

    @Test("Without a camera and a source the pattern is used, and that is said")
    func noSource() async throws {
        try #require(CaptureDevice.default(for: .video) == nil, "this machine has a camera")
        let outcome = try await obscura("extract", "--count", "1", "-o", "a.jpg")
        #expect(outcome.code == 0)
        #expect(outcome.errors.hasPrefix("obscura: this machine has no camera; the built-in pattern is used."))
        #expect(try JPEGDecoder.decode(folder.bytes(of: "a.jpg")).size == PixelSize(width: 1280, height: 720))
        let recording = try await obscura("record", "--duration", "100ms", "-o", "a.mp4", "-q", "--stats", "json")
        #expect(recording.errors.split(separator: "\n").count == 1, "\(recording.errors)")
    }

    @Test("Turned, mirrored and scaled is what was asked for")
    func transformed() async throws {
        let outcome = try await obscura(
            "extract", "pattern:320x180@60", "--count", "1", "--orientation", "right", "--mirror", "--size", "45x81",
            "--fit", "stretch", "-o", "a.rgba")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try folder.bytes(of: "a.rgba").count == 45 * 81 * 4)
    }

    @Test("A reader that goes ends it quietly", arguments: ["raw", "y4m"])
    func closedPipe(format: String) async throws {
        let outcome = try await obscura.shell(
            "\"$OBSCURA\" extract pattern:320x240@100 -o - --format \(format) | head -c 300000 | wc -c")
        #expect(outcome.code == 0 && outcome.text == "300000\n")
        // On a slow machine there may be a line of progress.
        #expect(!outcome.errors.contains("obscura:") && !outcome.errors.contains("frames in"), "\(outcome.errors)")
    }

    @Test("Ctrl-C ends it with 130, whole files and a summary", arguments: [("INT", 130), ("TERM", 143)])
    func interrupted(signal: String, code: Int32) async throws {
        let outcome = try await obscura.shell(
            """
            "$OBSCURA" extract pattern:320x240@100 -o p/%d.jpg --stats json & tool=$!
            until [ -e p/5.jpg ]; do read -rt 0.02 <> <(:); done
            kill -\(signal) $tool; wait $tool
            """)
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.contains("interrupted: "))
        let names = folder.names(in: "p")
        #expect(names.count >= 5)
        for number in 1...max(1, names.count) {
            let jpeg = try folder.bytes(of: "p/\(number).jpg")
            #expect(try JPEGDecoder.decode(jpeg).size == PixelSize(width: 320, height: 240))
        }
        let statistics = try statistics(outcome)
        #expect(statistics.ending == "interrupted" && statistics.framesWritten == names.count)
    }

    @Test("A pipe that nobody reads does not hold up Ctrl-C for ever")
    func stuckPipe() async throws {
        let outcome = try await obscura.shell(
            """
            mkfifo fifo out; exec 8<> fifo
            "$OBSCURA" extract pattern:1280x720@30 -o fifo --format raw --timestamps t.tsv 2> log & tool=$!
            read -rn 1 -u 8
            kill -INT $tool; wait $tool
            """)
        #expect(outcome.code == 130, "\(outcome.errors)")
        #expect(try folder.text(of: "log").contains("the last frames were not written in time"))
    }

    @Test("Files that are there are not overwritten, and nothing is read")
    func overwriting() async throws {
        #expect(try await obscura("extract", "pattern", "--count", "2", "-o", "%d.jpg").code == 0)
        let before = try folder.bytes(of: "1.jpg")
        try Data("no film".utf8).write(to: URL(fileURLWithPath: folder("film.mp4")))
        let refused = try await obscura("extract", "film.mp4", "-o", "%d.jpg")
        #expect(refused.code == 1)
        #expect(refused.errors.hasPrefix("obscura: 1.jpg: it exists already. "))
        #expect(refused.errors.contains("--overwrite"))
        #expect(try folder.bytes(of: "1.jpg") == before)
        let again = try await obscura("extract", "pattern:64x48", "--count", "1", "-o", "%d.jpg", "--overwrite")
        #expect(again.code == 0)
        #expect(try folder.bytes(of: "1.jpg") != before)
    }

    @Test("A failure is one sentence on standard error, and the code 1")
    func failures() async throws {
        for source in ["nothing.mp4", "pattern:0x0", "camera:/dev/nothing", "gopher://example.org/"] {
            let outcome = try await obscura("extract", source, "-o", "p/%d.jpg")
            #expect(outcome.code == 1, "\(source)")
            #expect(outcome.errors.hasPrefix("obscura: ") && outcome.errors.hasSuffix(".\n"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
        }
        #expect(folder.names().isEmpty, "nothing is made for a source that is not there")
    }

    @Test("A full disk is named, and the code is 1")
    func full() async throws {
        let outcome = try await obscura("extract", "pattern:320x240", "-o", "/dev/full", "--format", "raw")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("obscura: /dev/full: the disk is full. "))
    }

    @Test(
        "Output that does not fit on the disk is an error of each command, and a closed pipe is none",
        arguments: ["--version", "devices --json", "extract pattern --count 1 -o a.jpg -q --stats json"])
    func fullOutput(arguments: String) async throws {
        let full = try await obscura.shell("\"$OBSCURA\" \(arguments) > /dev/full")
        #expect(full.code == 1)
        #expect(full.errors == "obscura: cannot write to standard output: no space left on device.\n", "\(full.errors)")
        // A pipe whose reader has ended already.
        let closed = try await obscura.shell("rm -f a.jpg; exec > >(:); wait $!; \"$OBSCURA\" \(arguments)")
        #expect(closed.code == 0 && closed.errors.isEmpty, "\(closed.errors)")
    }

    @Test("Output to a pipe that another program has made non-blocking is complete")
    func nonBlockingOutput() async throws {
        let script = #"""
            import fcntl, os, struct, subprocess, sys, termios
            read, write = os.pipe()
            fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
            os.set_blocking(write, False)
            tool = subprocess.Popen([os.environ["OBSCURA"], "--generate-completion-script", "bash"], stdout=write)
            os.close(write)
            # Until the pipe is full.
            while tool.poll() is None and struct.unpack("i", fcntl.ioctl(read, termios.FIONREAD, bytes(4)))[0] < 4096: pass
            sys.stdout.buffer.write(open(read, "rb").read())
            sys.exit(tool.wait())
            """#
        _ = try folder.write("read.py", script)
        let outcome = try await obscura.shell("python3 read.py")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let whole = try await obscura("--generate-completion-script", "bash")
        #expect(outcome.output == whole.output && whole.output.count > 4096)
    }

    @Test("Wrong usage has the code 64, and shows the usage of the command")
    func usage() async throws {
        for arguments in [["--size", "12"], ["-o", "x.foo"], ["--frames"], ["-o", "x.jpg"]] {
            let outcome = try await Tool.run([Tool.path, "extract"] + arguments, in: folder)
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(arguments)")
            #expect(outcome.errors.contains("Usage: obscura extract"), "\(outcome.errors)")
        }
        #expect(try await obscura("explode").code == 64)
    }

    @Test("The devices are listed, with the pattern as built in")
    func devices() async throws {
        let text = try await obscura("devices")
        #expect(text.code == 0 && text.text.contains("Test pattern (built in)"))
        #expect(text.text.contains("1280x720 i420 at 30, 60"))
        let json = try await obscura("devices", "--json")
        let listings = try JSONDecoder().decode([DeviceListing].self, from: Data(json.output))
        let pattern = try #require(listings.first { $0.isBuiltIn })
        #expect(pattern.source == "pattern" && pattern.modes.contains { $0.width == 1280 && $0.frameRate == "30/1" })
    }

    @Test("There is help for everything, a version and completions")
    func help() async throws {
        for arguments in [["--help"], ["extract", "--help"], ["devices", "--help"], ["help", "extract"]] {
            let outcome = try await Tool.run([Tool.path] + arguments, in: folder)
            #expect(outcome.code == 0 && outcome.text.contains("xample"), "\(arguments)")
        }
        #expect(try await obscura("--version").text == "\(ObscuraBuild.version)\n")
        for shell in ["bash", "zsh", "fish"] {
            let outcome = try await obscura("--generate-completion-script", shell)
            #expect(outcome.code == 0 && outcome.text.contains("pixel-format"))
        }
    }
}
