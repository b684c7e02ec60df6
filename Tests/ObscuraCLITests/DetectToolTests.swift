// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import TestSupport
import Testing

@testable import ObscuraCLI

/// `obscura detect`, as its users run it.
@Suite(.hangLimit) struct DetectToolTests {
    private let folder: TemporaryFolder
    private let obscura: ObscuraCLITests.Tool

    init() throws {
        folder = try TemporaryFolder()
        obscura = ObscuraCLITests.Tool(folder: folder)
    }

    static let faces = ProcessInfo.processInfo.environment["OBSCURA_TEST_FACES"]

    /// Ten frames of an astronaut, and then ten of a cup of coffee.
    private func makeFilm() throws {
        let media = try #require(Self.faces)
        let scale = "scale=320:320,setsar=1,fps=10,format=yuv420p"
        try TestSupport.Tool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-loop", "1", "-t", "1", "-i", "\(media)/astronaut.png", "-loop", "1", "-t",
                "1",
                "-i", "\(media)/coffee.png", "-filter_complex", "[0]\(scale)[a];[1]\(scale)[b];[a][b]concat=n=2:v=1",
                "-c:v", "libx264", "-r", "10", folder("film.mp4"),
            ])
    }

    @Test func `without the library of OpenCV, only the detection of faces fails`() async throws {
        let copy = folder("obscura")
        try FileManager.default.copyItem(atPath: ObscuraCLITests.Tool.path, toPath: copy)
        let detection = try await ObscuraCLITests.Tool.run([copy, "detect", "pattern", "--count", "1"], in: folder)
        #expect(detection.code == 1)
        #expect(detection.errors.contains("the library ObscuraOpenCV cannot be loaded"), "\(detection.errors)")
        let extraction = try await ObscuraCLITests.Tool.run([copy, "extract", "pattern", "--count", "1"], in: folder)
        #expect(extraction.code == 0, "\(extraction.errors)")
    }

    private static let narrow = ["--smallest", "60x60", "--neighbours", "8"]

    private func run(_ arguments: [String]) async throws -> ObscuraCLITests.Tool.Outcome {
        try await ObscuraCLITests.Tool.run([ObscuraCLITests.Tool.path, "detect"] + arguments, in: folder)
    }

    @Test(.enabled("OBSCURA_TEST_FACES names no folder") { faces != nil }, .needsFFmpeg)
    func `each frame with a face is a line, and a movie shows them`() async throws {
        try makeFilm()
        let text = try await run(["film.mp4", "-o", "out.mp4"] + Self.narrow)
        #expect(text.code == 0, "\(text.errors)")
        let lines = text.text.split(separator: "\n")
        #expect(lines.count == 10)
        #expect(lines.first?.hasPrefix("0.0 s  frame 0  #1 ") == true, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("#1 ") && $0.split(separator: "#").count == 2 })
        #expect(text.errors.contains("faces in 10 of 20 frames"), "\(text.errors)")
        let info = try MovieInfo.read(folder("out.mp4"))
        #expect(info.frameCount == 20 && info.format.size == PixelSize(width: 320, height: 320))
        // Green lines, where there is a face and nowhere else.
        let green = try await greenPixels(of: "out.mp4")
        #expect(green.prefix(10).allSatisfy { $0 > 200 } && green.suffix(10).allSatisfy { $0 < 20 }, "\(green)")

        let json = try await run(["film.mp4", "--json", "--features", "--count", "5", "-q"] + Self.narrow)
        #expect(json.code == 0 && json.errors.isEmpty)
        let objects = try json.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.count == 5)
        let face = try #require((objects[0]["faces"] as? [[String: Any]])?.first)
        #expect(face["id"] as? Int == 1 && face["leftEye"] != nil && face["bounds"] is [String: Int])
        #expect(objects.map { $0["sequence"] as? Int } == [0, 1, 2, 3, 4])
    }

    @Test(.enabled("OBSCURA_TEST_FACES names no folder") { faces != nil }, .needsFFmpeg)
    func `faces are hidden in pictures`() async throws {
        try makeFilm()
        let outcome = try await run(["film.mp4", "--mosaic", "-o", "hidden/%02d.png", "-q"] + Self.narrow)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(folder.names(in: "hidden").count == 20)
        // The very frame that was searched is hidden, and so nothing is found in what was written.
        let again = try await run(["hidden/01.png", "-q"] + Self.narrow)
        #expect(again.text.isEmpty, "\(again.text)")
    }

    /// How many pixels of each frame are as green as the mask's lines.
    private func greenPixels(of name: String) async throws -> [Int] {
        let extractor = FrameExtractor(source: folder(name), reading: .lossless)
        var counts: [Int] = []
        for try await frame in extractor.frames {
            let bytes = frame.image.packedBytes()
            counts.append(
                stride(from: 0, to: bytes.count, by: 4).count {
                    bytes[$0 + 1] > 180 && bytes[$0] < 90 && bytes[$0 + 2] < 90
                })
        }
        return counts
    }

    @Test func `what cannot be is said`() async throws {
        try Data("no cascade".utf8).write(to: URL(fileURLWithPath: folder("text.xml")))
        try Data().write(to: URL(fileURLWithPath: folder("empty.onnx")))
        for (arguments, code, words) in [
            (["pattern", "--engine", "eyes"], 64, "cascade:FILE"),
            (["pattern", "--engine", "cascade:missing.xml"], 1, "missing.xml"),
            (["pattern", "--engine", "cascade:text.xml"], 1, "not a cascade"),
            (["pattern", "--engine", "yunet:empty.onnx"], 1, "empty"),
            (["pattern", "--mosaic"], 64, "--output"), (["pattern", "--count", "0"], 64, "--count"),
            (["pattern", "--count", "1", "-o", "faces.txt"], 64, "extension"),
            (["nothing.mp4"], 1, "nothing.mp4"),
            (["pattern", "--overwrite", "-o", "faces.jpg"], 64, "only one frame"),
        ] {
            let outcome = try await run(arguments)
            #expect(outcome.code == Int32(code) && outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(folder.names() == ["empty.onnx", "text.xml"])
    }

    @Test(.enabled("OBSCURA_TEST_FACES names no folder") { faces != nil }, .needsFFmpeg)
    func `it ends when nobody reads the lines any more`() async throws {
        try makeFilm()
        // Read in real time it would go on for ever.
        let outcome = try await obscura.shell(
            "\"$OBSCURA\" detect film.mp4 -q \(Self.narrow.joined(separator: " ")) | head -n 1")
        #expect(outcome.text.split(separator: "\n").count == 1 && outcome.code == 0, "\(outcome.errors)")
    }

    @Test func `the pattern has no face, and a limit of frames is kept`() async throws {
        let outcome = try await run(["pattern:320x180@30", "--count", "5"])
        #expect(outcome.code == 0 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("faces in 0 of 5 frames, "), "\(outcome.errors)")
    }
}

extension MovieReadingOptions {
    fileprivate static var lossless: MovieReadingOptions {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        return reading
    }
}
