// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Obscura
public import ObscuraLibrary

/// A source of an image for ``ImageLoader``: a file, an item of a photo library, a web address or a camera.
public struct ImageSource: Sendable, Hashable {
    enum Place: Sendable {
        case file(path: String)
        case item(path: String, MediaLibrary)
        case address(String)
        case camera(PhotoOutput)
    }

    let place: Place

    /// A JPEG or PNG file.
    public static func file(_ path: String) -> ImageSource { ImageSource(place: .file(path: path)) }

    /// An item of a photo library: a photo with its edits, or the first frame of a movie.
    public static func item(_ path: String, in library: MediaLibrary) -> ImageSource {
        ImageSource(place: .item(path: path, library))
    }

    /// A web address, which begins with `https://` or `http://`.
    public static func address(_ address: String) -> ImageSource { ImageSource(place: .address(address)) }

    /// A running camera. Each request takes a new photo.
    public static func camera(_ output: PhotoOutput) -> ImageSource { ImageSource(place: .camera(output)) }

    /// Two sources are equal if they have the same path or address, and the same library or camera object.
    public static func == (one: ImageSource, other: ImageSource) -> Bool {
        switch (one.place, other.place) {
        case (.file(let path), .file(let otherPath)): path.utf8.elementsEqual(otherPath.utf8)
        case (.item(let path, let library), .item(let otherPath, let otherLibrary)):
            path.utf8.elementsEqual(otherPath.utf8) && library === otherLibrary
        case (.address(let address), .address(let otherAddress)): address == otherAddress
        case (.camera(let output), .camera(let otherOutput)): output === otherOutput
        default: false
        }
    }

    /// Hashes the path or the address, or the camera object, consistent with ``==(_:_:)``.
    public func hash(into hasher: inout Hasher) {
        switch place {
        case .file(let text), .item(let text, _), .address(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .camera(let output): hasher.combine(ObjectIdentifier(output))
        }
    }
}
