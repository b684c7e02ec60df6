// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// A photo as text, and as a `--json` object.
struct StillListing: Codable, Hashable {
    let file: String
    /// `jpeg` or `png`.
    let kind: String
    let width: Int
    let height: Int
    /// The clockwise rotation that makes the image upright, in degrees; missing for 0.
    let rotation: Int?
    let hasThumbnail: Bool
    /// The exposure, as far as the photo contains it.
    let exposure: Metadata.Exposure?
    /// The location of the photo.
    let location: GeographicLocation?
    /// The metadata by name, as in ``MovieListing``.
    let metadata: [String: String]

    init(_ still: StillInfo, file: String) {
        self.file = file
        kind = still.kind.rawValue
        width = still.size.width
        height = still.size.height
        rotation = still.orientation == .up ? nil : still.orientation.degrees
        hasThumbnail = still.thumbnail != nil
        exposure = still.metadata.exposure
        location = still.metadata.location
        metadata = MovieListing.entries(still.metadata)
    }

    /// Whether the name is that of a photo.
    static func names(_ file: String) -> Bool {
        !file.contains("://") && [".jpg", ".jpeg", ".png"].contains { file.lowercased().hasSuffix($0) }
    }

    /// Names and values in two columns.
    var text: String {
        var rows = [("file", file), ("kind", kind), ("size", "\(width)x\(height)")]
        if let rotation { rows.append(("rotated by", "\(rotation)°")) }
        if hasThumbnail { rows.append(("thumbnail", "yes")) }
        if let exposure {
            if let time = exposure.duration { rows.append(("exposure", "\(time) s")) }
            if let iso = exposure.iso { rows.append(("iso", "\(iso)")) }
            if let bias = exposure.bias { rows.append(("bias", "\(bias) EV")) }
            if let aperture = exposure.aperture { rows.append(("aperture", "f/\(aperture)")) }
            if let length = exposure.focalLength { rows.append(("focal length", "\(length) mm")) }
            if let flash = exposure.flashFired { rows.append(("flash", flash ? "fired" : "did not fire")) }
        }
        if let location { rows.append(("location", MovieListing.text(location))) }
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) { rows.append((name, value)) }
        return ListingTable.text(rows)
    }
}
