// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

@testable import ObscuraDevices
@testable import ObscuraImaging
@testable import ObscuraLibrary
@testable import ObscuraStudio

extension FuzzTarget {
    /// JPEG and PNG: the metadata, and the picture at full and reduced size.
    static let still = FuzzTarget(.picture("jpg"), .picture("png")) { bytes in
        guard let info = try? StillInfo(bytes) else { return false }
        check(info.size.width > 0 && info.size.height > 0, "a picture has no pixels")
        // Larger pictures would only slow the fuzzer down.
        guard info.size.width <= 4096, info.size.height <= 4096 else { return false }
        return limited(mebibytes: 512) {
            let whole = try? Still(bytes)
            let small = try? Still(bytes, fitting: PixelSize(width: 64, height: 64))
            return whole != nil && small != nil
        }
    }

    static let exif = FuzzTarget(.text("II*\0\u{8}\0\0\0\u{1}\0\u{f}\u{1}\u{2}\0\u{4}\0\0\0abc\0\0\0\0\0")) { bytes in
        guard let fields = try? LibExif.decode(LibExif.head + bytes) else { return false }
        _ = Metadata(fields)
        return fields != ExifFields()
    }

    static let xmp = FuzzTarget(
        .text(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li>a &amp; b</rdf:li>\
            </rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
            """)
    ) { XMPPacket.read($0).title != nil }

    /// Color lookup tables (.cube).
    static let cube = FuzzTarget(.text("TITLE \"x\"\nLUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0\n0 0 0\n1 1 1\n")) {
        (try? CubeFile($0)) != nil
    }

    /// The settings file of the cameras; it must still be readable after a change.
    static let settings = FuzzTarget(
        .text(#"{"devices":{"a b":{"name":"n\u00e9","position":"front"}},"other":[1]}"#)
    ) { bytes in
        guard (try? DeviceSettings(text: bytes, path: "x")) != nil,
            let changed = try? DeviceSettings.replacing(bytes, camera: "a\"b", position: .front, name: "n\n", path: "x")
        else { return false }
        check((try? DeviceSettings(text: changed, path: "x")) != nil, "the changed settings cannot be read")
        return true
    }

    /// The edits of a photo, which are stored in a file next to it.
    static let recipe = FuzzTarget(
        .text(#"{"edits":[{"kind":"crop","x":0.1,"y":0.1,"width":0.5,"height":0.5}]}"#)
    ) { StillRecipe(json: $0) != nil }
}
