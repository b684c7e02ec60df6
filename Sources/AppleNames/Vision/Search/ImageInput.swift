// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The image of requests, in any of the forms in which requests accept it.
enum ImageInput: Sendable {
    /// An upright image.
    case image(CIImage)
    /// A file that is read for each search, with its orientation; nil for that in the file.
    case file(URL, CGImagePropertyOrientation?)
    /// Something that is not an image.
    case invalid(VisionError)

    init(_ buffer: CVPixelBuffer, _ orientation: CGImagePropertyOrientation? = nil) {
        self.init(CIImage(cvPixelBuffer: buffer), orientation)
    }

    init(_ image: CGImage, _ orientation: CGImagePropertyOrientation? = nil) {
        self.init(CIImage(cgImage: image), orientation)
    }

    init(_ image: CIImage, _ orientation: CGImagePropertyOrientation? = nil) {
        self = .image(image.oriented(orientation ?? .up))
    }

    init(_ buffer: CMSampleBuffer, _ orientation: CGImagePropertyOrientation? = nil) {
        if let picture = buffer.imageBuffer {
            self.init(picture, orientation)
        } else {
            self = .invalid(.invalidImage("The sample buffer has no image."))
        }
    }

    init(_ data: Data, _ orientation: CGImagePropertyOrientation? = nil) {
        do throws(VisionError) {
            self = .image(try Self.upright(data, orientation))
        } catch {
            self = .invalid(error)
        }
    }

    init(_ url: URL, _ orientation: CGImagePropertyOrientation? = nil) {
        self = .file(url, orientation)
    }

    /// Returns the upright image. Blocks while a file is read.
    func upright() throws(VisionError) -> CIImage {
        switch self {
        case .image(let image): return image
        case .invalid(let error): throw error
        case .file(let url, let orientation):
            guard url.isFileURL else { throw .invalidArgument("\(url): it is not the URL of a file.") }
            let data: Data
            do {
                data = try Data(contentsOf: url)
            } catch {
                throw .ioError("\(url.path): the file cannot be read: \(error.localizedDescription)")
            }
            return try Self.upright(data, orientation)
        }
    }

    private static func upright(
        _ data: Data, _ orientation: CGImagePropertyOrientation?
    ) throws(VisionError) -> CIImage {
        let isUpright = orientation == nil
        guard let image = CIImage(data: data, options: [.applyOrientationProperty: isUpright]) else {
            throw .invalidImage("The data is not a JPEG or PNG file.")
        }
        return image.oriented(orientation ?? .up)
    }
}
