// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFontconfig
internal import ObscuraMedia

/// A configuration of Fontconfig, which lists the system's fonts; owns it.
final class FontCatalog {
    private let config: OpaquePointer

    /// - Parameter file: a configuration file instead of the system's, for tests.
    init(configuration file: String? = nil) throws(ObscuraError) {
        guard let file else {
            guard let config = FcInitLoadConfigAndFonts() else {
                throw .noFont("Fontconfig cannot load its configuration")
            }
            self.config = config
            return
        }
        guard let config = FcConfigCreate() else { throw .outOfMemory(.imaging, "font") }
        guard FcConfigParseAndLoad(config, file, FcBool(FcTrue)) == FcBool(FcTrue),
            FcConfigBuildFonts(config) == FcBool(FcTrue)
        else {
            FcConfigDestroy(config)
            throw .noFont("the Fontconfig file \(file) cannot be read")
        }
        self.config = config
    }

    deinit {
        FcConfigDestroy(config)
    }

    /// Returns the file of the font closest to a family or a pattern such as `DejaVu Sans:bold`, and the font's index
    /// in the file.
    func file(for pattern: String) throws(ObscuraError) -> (path: String, index: Int) {
        guard let wanted = FcNameParse(pattern) else {
            throw .noFont(
                "'\(pattern)' is not a font name", .advice("Write a family, or a pattern such as 'DejaVu Sans:bold'."))
        }
        defer { FcPatternDestroy(wanted) }
        FcConfigSubstitute(config, wanted, FcMatchPattern)
        FcDefaultSubstitute(wanted)
        var result = FcResultNoMatch
        guard let found = FcFontMatch(config, wanted, &result) else { throw .noFont("no font is installed") }
        defer { FcPatternDestroy(found) }
        // The text belongs to the pattern.
        var path: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch, let path else {
            throw .noFont("no font is installed")
        }
        var index: Int32 = 0
        FcPatternGetInteger(found, FC_INDEX, 0, &index)
        return (String(cString: path), Int(index))
    }
}

extension ObscuraError {
    fileprivate static func noFont(
        _ reason: String, _ remedy: Remedy = .installPackages(["fonts-dejavu-core"])
    ) -> ObscuraError {
        ObscuraError(.imaging, .noFont, subject: "font", reason: reason, remedy: remedy)
    }
}
