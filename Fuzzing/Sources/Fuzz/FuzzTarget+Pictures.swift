// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

@testable import ObscuraDevices
@testable import ObscuraImaging
@testable import ObscuraStudio

extension FuzzTarget {
    /// JPEG and PNG: their metadata, and the picture, whole and small.
    static let still = FuzzTarget { bytes in
        guard let info = try? StillInfo(bytes) else { return }
        precondition(info.size.width > 0 && info.size.height > 0)
        // Larger ones are only slow here.
        guard info.size.width <= 4096, info.size.height <= 4096 else { return }
        _ = try? Still(bytes)
        _ = try? Still(bytes, fitting: PixelSize(width: 64, height: 64))
    }

    static let exif = FuzzTarget { bytes in
        guard let fields = try? LibExif.decode(LibExif.head + bytes) else { return }
        _ = Metadata(fields)
    }

    static let xmp = FuzzTarget { _ = XMPPacket.read($0) }

    /// Lookup tables of colours (.cube).
    static let cube = FuzzTarget { _ = try? CubeFile($0) }

    /// The file of the cameras' settings; what is changed in it must be readable again.
    static let settings = FuzzTarget { bytes in
        guard (try? DeviceSettings(text: bytes, path: "x")) != nil,
            let changed = try? DeviceSettings.replacing(bytes, camera: "a\"b", position: .front, name: "n\n", path: "x")
        else { return }
        precondition((try? DeviceSettings(text: changed, path: "x")) != nil, "it cannot be read any more")
    }

    /// The edits of a photo, in the file beside it.
    static let recipe = FuzzTarget { _ = StillRecipe(json: $0) }
}
