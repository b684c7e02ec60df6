// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraImaging
import ObscuraMedia
import TestSupport
import Testing
import UIKit

@Suite("UIImage") struct UIImageTests {
    /// With sides that are multiples of the blocks of JPEG.
    private let picture: PixelBuffer
    private let image: CGImage

    init() throws {
        picture = try .quarters(64, 32)
        image = CGImage(picture)
    }

    /// The colors of the four quarters: top left, top right, bottom left, bottom right.
    private func corners(_ picture: PixelBuffer) throws -> [TestColor] {
        let colors = try picture.converted(to: .bgra).colors
        let (right, bottom) = (picture.width - 4, picture.height - 4)
        return [colors[4][4], colors[4][right], colors[bottom][4], colors[bottom][right]]
    }

    private func areNear(_ one: [TestColor], _ other: [TestColor]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.isNear($1, 12) }
    }

    @Test("The raw values are Apple's") func rawValues() {
        #expect(
            UIImage.Orientation.allCases == [
                .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
            ])
        #expect(UIImage.Orientation.rightMirrored.rawValue == 7)
    }

    @Test("The size is in points, and that of the upright image", arguments: UIImage.Orientation.allCases)
    func sizes(_ orientation: UIImage.Orientation) {
        let isTransposed = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
        let size = isTransposed ? CGSize(width: 16, height: 32) : CGSize(width: 32, height: 16)
        let made = UIImage(cgImage: image, scale: 2, orientation: orientation)
        #expect(made.size == size)
        #expect(made.scale == 2)
        #expect(made.imageOrientation == orientation)
        #expect(made.cgImage === image)
        #expect(made.ciImage == nil)
        #expect(UIImage(ciImage: CIImage(cgImage: image), scale: 2, orientation: orientation).size == size)
    }

    @Test("Without a scale and an orientation, a pixel is a point") func defaults() {
        let made = UIImage(cgImage: image)
        #expect(made.size == CGSize(width: 64, height: 32))
        #expect(made.scale == 1)
        #expect(made.imageOrientation == .up)
        #expect(made == made)
        #expect(made != UIImage(cgImage: image))
    }

    @Test("A JPEG file keeps the pixels, and has the orientation", arguments: UIImage.Orientation.allCases)
    func jpeg(_ orientation: UIImage.Orientation) throws {
        let data = try #require(
            UIImage(cgImage: image, scale: 3, orientation: orientation).jpegData(compressionQuality: 1))
        let info = try StillInfo([UInt8](data))
        #expect(info.kind == .jpeg)
        #expect(info.size == picture.size)
        #expect(info.thumbnail == nil)
        let read = try #require(UIImage(data: data))
        #expect(read.imageOrientation == orientation)
        #expect(read.scale == 1)
        #expect(areNear(try corners(#require(read.cgImage).picture), [.red, .green, .blue, .white]))
        // What other programs show.
        let shown = try corners(Still([UInt8](data)).picture)
        #expect(areNear(shown, try corners(upright(orientation))))
    }

    @Test("A PNG file has the upright pixels", arguments: UIImage.Orientation.allCases)
    func png(_ orientation: UIImage.Orientation) throws {
        let data = try #require(UIImage(cgImage: image, scale: 1, orientation: orientation).pngData())
        let read = try #require(UIImage(data: data, scale: 2))
        #expect(read.imageOrientation == .up)
        #expect(read.scale == 2)
        #expect(try #require(read.cgImage).picture.colors == upright(orientation).colors)
    }

    private func upright(_ orientation: UIImage.Orientation) throws -> PixelBuffer {
        let stored: CGImagePropertyOrientation =
            switch orientation {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
        let oriented = CIImage(cgImage: image).oriented(stored)
        return try #require(CIContext().createCGImage(oriented, from: oriented.extent)).picture
    }

    @Test("A lower quality makes a smaller file, and each number is a quality") func quality() throws {
        let noise = UIImage(cgImage: CGImage(try .bgraNoise(64, 64)))
        let sizes = try [0, 0.5, 1].map { try #require(noise.jpegData(compressionQuality: $0)).count }
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
        #expect(noise.jpegData(compressionQuality: -3)?.count == sizes[0])
        #expect(noise.jpegData(compressionQuality: .infinity)?.count == sizes[2])
        #expect(noise.jpegData(compressionQuality: .nan) != nil)
    }

    @Test("An image of Core Image is rendered for a file") func coreImage() throws {
        let recipe = CIImage(cgImage: image).cropped(to: CGRect(x: 0, y: 0, width: 32, height: 16))
        let made = UIImage(ciImage: recipe)
        #expect(made.ciImage === recipe)
        #expect(made.cgImage == nil)
        #expect(made.size == CGSize(width: 32, height: 16))
        let file = try #require(made.pngData())
        let read = try #require(UIImage(data: file))
        #expect(Set(try #require(read.cgImage).picture.colors.joined()) == [.blue])
        #expect(try UIImage(data: #require(made.jpegData(compressionQuality: 0.8)))?.size == made.size)
        #expect(UIImage(ciImage: .empty()).jpegData(compressionQuality: 1) == nil)
        #expect(UIImage(ciImage: .empty()).pngData() == nil)
    }

    @Test("A Core Image image has the stored pixels of an image") func toCoreImage() throws {
        let made = try #require(CIImage(image: UIImage(cgImage: image, scale: 2, orientation: .right)))
        #expect(made.extent == CGRect(x: 0, y: 0, width: 64, height: 32))
        #expect(try made.colors() == picture.colors)
        #expect(CIImage(image: UIImage(ciImage: .empty())) == nil)
    }

    @Test("What is not a complete picture gives no image") func badFiles() throws {
        #expect(UIImage(data: Data()) == nil)
        #expect(UIImage(data: Data("no picture".utf8)) == nil)
        let file = try #require(UIImage(cgImage: image).pngData())
        #expect(UIImage(data: file.prefix(file.count / 2)) == nil)
        #expect(UIImage(data: Data([0]) + file) == nil)
        // A slice has indices that do not begin at 0.
        #expect(UIImage(data: (Data([0]) + file).dropFirst()) != nil)
    }

    @Test("An image is read from a file") func files() throws {
        let folder = try TemporaryFolder()
        try #require(UIImage(cgImage: image).pngData()).write(to: URL(fileURLWithPath: folder("picture.png")))
        #expect(UIImage(contentsOfFile: folder("picture.png"))?.cgImage?.picture.colors == picture.colors)
        #expect(UIImage(contentsOfFile: folder("none.png")) == nil)
        #expect(UIImage(contentsOfFile: folder.path) == nil)
    }

    @Test("Images are passed to other threads, and the import has queues and objects") func otherThreads() async throws
    {
        final class Receiver: NSObject {}
        let made = UIImage(cgImage: image)
        let width = await withCheckedContinuation { continuation in
            DispatchQueue(label: "receiver").async { continuation.resume(returning: made.size.width) }
        }
        #expect(width == 64)
        #expect(Receiver() == Receiver() ? false : true)
    }
}
