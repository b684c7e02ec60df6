// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

@testable import ObscuraDevices
@testable import ObscuraImaging
@testable import ObscuraStudio

extension FuzzTarget {
    /// JPEG and PNG: the metadata, and the picture at full and reduced size.
    static let still = FuzzTarget { bytes in
        guard let info = try? StillInfo(bytes) else { return }
        precondition(info.size.width > 0 && info.size.height > 0)
        // Larger pictures would only slow the fuzzer down.
        guard info.size.width <= 4096, info.size.height <= 4096 else { return }
        _ = try? Still(bytes)
        _ = try? Still(bytes, fitting: PixelSize(width: 64, height: 64))
    }

    static let exif = FuzzTarget { bytes in
        guard let fields = try? LibExif.decode(LibExif.head + bytes) else { return }
        _ = Metadata(fields)
    }

    static let xmp = FuzzTarget { _ = XMPPacket.read($0) }

    /// Color lookup tables (.cube).
    static let cube = FuzzTarget { _ = try? CubeFile($0) }

    /// The settings file of the cameras; it must still be readable after a change.
    static let settings = FuzzTarget { bytes in
        guard (try? DeviceSettings(text: bytes, path: "x")) != nil,
            let changed = try? DeviceSettings.replacing(bytes, camera: "a\"b", position: .front, name: "n\n", path: "x")
        else { return }
        precondition((try? DeviceSettings(text: changed, path: "x")) != nil, "the changed settings cannot be read")
    }

    /// The edits of a photo, which are stored in a file next to it.
    static let recipe = FuzzTarget { _ = StillRecipe(json: $0) }
}
