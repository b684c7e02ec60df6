// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import Obscura
import TestSupport
import Testing

@testable import ObscuraStudio

/// A folder of its own for one test, gone with the process, and what lies in it.
struct TestLibrary {
    /// What no page may ever get.
    static let secret = Array("the secret of another folder".utf8)

    let path: String
    let folder: MediaFolder
    /// A file beside the folder, with ``secret`` in it.
    let secretPath: String

    init() throws {
        let base = TestMovies.folder.appending(path: UUID().uuidString)
        path = base.appending(path: "library").path
        secretPath = base.appending(path: "secret.jpg").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = try MediaFolder(path: path)
        try Data(Self.secret).write(to: URL(fileURLWithPath: secretPath))
    }

    /// All names, hidden ones too.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(of: name))))
    }

    @discardableResult
    func put(_ name: String, _ bytes: [UInt8], modified: Date? = nil) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
        if let modified { try touch(name, modified) }
        return name
    }

    /// Replaces the bytes by zeros, without a change of the size or of the date.
    func erase(_ name: String, _ date: Date) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(of: name)))
        try handle.write(contentsOf: [UInt8](repeating: 0, count: try bytes(of: name).count))
        try handle.close()
        try touch(name, date)
    }

    func touch(_ name: String, _ date: Date) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(of: name))
    }

    /// A small movie with sound: two seconds of 160x90.
    func putMovie(_ name: String = "movie.mp4") throws {
        try put(name, Array(try Data(contentsOf: URL(fileURLWithPath: TestMovies.h264()))))
    }

    /// What `code` says that was thrown; nil if nothing was.
    static func code(_ body: () async throws -> Void) async -> ObscuraError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ObscuraError)?.code ?? .cannotListen
        }
    }
}

/// Pictures that show where up and left are: red and green above, blue and white below.
enum Quarters {
    enum Color: Equatable {
        case red, green, blue, white, other
    }

    static func picture(width: Int = 64, height: Int = 48) throws -> PixelBuffer {
        var buffer = try PixelBuffer(format: .bgra, width: width, height: height, colorSpace: nil)
        let stride = buffer.bytesPerRow(ofPlane: 0)
        try buffer.withMutableBytes(ofPlane: 0) { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let color: UInt32 =
                        switch (y < height / 2, x < width / 2) {
                        case (true, true): 0xffff_0000
                        case (true, false): 0xff00_ff00
                        case (false, true): 0xff00_00ff
                        case (false, false): 0xffff_ffff
                        }
                    bytes.storeBytes(of: color, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
        return buffer
    }

    static func jpeg(width: Int = 64, height: Int = 48, _ properties: StillProperties? = nil) throws -> [UInt8] {
        try StillEncoder(.jpeg(quality: 95)).encode(
            picture(width: width, height: height), properties ?? StillProperties())
    }

    static func png(width: Int = 64, height: Int = 48) throws -> [UInt8] {
        try StillEncoder(.png()).encode(picture(width: width, height: height), StillProperties())
    }

    /// The colours of the four quarters of a photo, and its size: above left and right, below left and right.
    static func colors(of jpeg: [UInt8]) throws -> (colors: [Color], size: PixelSize) {
        let picture = try ImageTransformer.transform(try Still(jpeg).picture, ImageRequest(pixelFormat: .bgra))
        let size = picture.size
        let bytes = picture.packedBytes()
        let colors = [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y -> Color in
            let place = 4 * (size.width * (size.height * y / 4) + size.width * x / 4)
            let isHigh = (0..<3).map { bytes[place + 2 - $0] > 150 }
            return switch isHigh {
            case [true, false, false]: .red
            case [false, true, false]: .green
            case [false, false, true]: .blue
            case [true, true, true]: .white
            default: .other
            }
        }
        return (colors, size)
    }
}
