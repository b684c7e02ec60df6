// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// The colours of a grade, out of a `.cube` file.
    ///
    /// - Throws: as ``CubeFile/init(path:)``.
    public static func lut(file path: String) throws(ObscuraError) -> VideoEffect {
        .lut(try CubeFile(path: path))
    }

    /// The colours of a grade.
    ///
    /// The codes 0 to 255 of red, green and blue are the numbers 0 to 1. Between the entries of a curve the colour is
    /// mixed of two, within a cube of the four of the tetrahedron in which it lies (tetrahedral interpolation, as
    /// graders do it); outside of the domain it is that of the nearest entry. The result is held in 0 to 1 and rounded
    /// to the nearest code. Alpha stays.
    public static func lut(_ file: CubeFile) -> VideoEffect {
        VideoEffect(name: "lut", key: file, renderer: LookupEffect(file))
    }
}

/// Colours out of a table.
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
