// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraMedia

/// A detection of a cascade, with the number of overlapping windows.
struct FoundRect: Sendable, Hashable {
    var bounds: PixelRect
    var neighbours: Int

    /// Returns the means of groups of overlapping windows, as OpenCV computes them, for groups of more than
    /// `neighbours`.
    static func grouped(_ windows: [PixelRect], neighbours: Int) throws -> [FoundRect] {
        guard !windows.isEmpty else { return [] }
        var found = windows.map { OCVFound(bounds: OCVRect($0), neighbours: 1) }
        var count = Int32(found.count)
        let functions = try OpenCV.functions()
        try OpenCVMessage.check { functions.group(&found, &count, Int32(clamping: neighbours), $0) }
        return found.prefix(Int(count)).map(FoundRect.init)
    }
}

extension FoundRect {
    init(_ found: OCVFound) {
        self.init(bounds: PixelRect(found.bounds), neighbours: Int(found.neighbours))
    }
}

extension OCVRect {
    init(_ rect: PixelRect) {
        self.init(
            x: Int32(clamping: rect.x), y: Int32(clamping: rect.y), width: Int32(clamping: rect.width),
            height: Int32(clamping: rect.height))
    }
}

extension PixelRect {
    init(_ rect: OCVRect) {
        self.init(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
    }
}

extension Face {
    /// Creates a face that a cascade detected.
    init(_ found: FoundRect) {
        self.init(bounds: found.bounds, confidence: Double(found.neighbours) / Double(found.neighbours + 5))
    }
}
