// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// Applies the color table of a `.cube` file.
    ///
    /// - Throws: as ``CubeFile/init(path:)-(String)``.
    public static func lut(file path: String) throws(ObscuraError) -> VideoEffect {
        .lut(try CubeFile(path: path))
    }

    /// Applies a color table.
    ///
    /// The values 0 to 255 of red, green and blue correspond to 0 to 1 in the table. Curves are interpolated linearly,
    /// cubes tetrahedrally, as in grading software. Values outside the domain of the table use its nearest entry. The
    /// result is clipped to 0...1, and converted back to 0 to 255, rounded to nearest. Alpha is unchanged.
    public static func lut(_ file: CubeFile) -> VideoEffect {
        VideoEffect(name: "lut", key: file, renderer: LookupEffect(file))
    }
}

/// The renderer of a color table.
package struct LookupEffect: EffectRenderer {
    private let table: LookupTable

    package init(_ file: CubeFile) {
        table = LookupTable(file)
    }

    package func accepts(_ format: PixelFormat) -> Bool { format == .bgra || format == .rgba }

    package func render(_ source: PixelBuffer, _ context: EffectContext) throws -> PixelBuffer {
        var target = try source.makeResult(context)
        try table.apply(to: source, into: &target)
        return target
    }
}
