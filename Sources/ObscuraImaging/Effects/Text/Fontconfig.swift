// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFontconfig
internal import ObscuraMedia

/// One configuration of Fontconfig: which fonts the system has. Frees it.
final class FontCatalog {
    private let config: OpaquePointer

    /// - Parameter file: a configuration file instead of the system's; for tests.
    init(configuration file: String? = nil) throws(ObscuraError) {
        guard let file else {
            guard let config = FcInitLoadConfigAndFonts() else { throw .noFont("the configuration cannot be read") }
            self.config = config
            return
        }
        guard let config = FcConfigCreate() else { throw .noFont("there is no memory") }
        guard FcConfigParseAndLoad(config, file, FcBool(FcTrue)) == FcBool(FcTrue),
            FcConfigBuildFonts(config) == FcBool(FcTrue)
        else {
            FcConfigDestroy(config)
            throw .noFont("the configuration \(file) cannot be read")
        }
        self.config = config
    }

    deinit {
        FcConfigDestroy(config)
    }

    /// The file of the font that comes nearest to a family or a pattern such as `DejaVu Sans:bold`, and its number
    /// within the file.
    func file(for pattern: String) throws(ObscuraError) -> (path: String, index: Int) {
        guard let wanted = FcNameParse(pattern) else {
            throw .noFont("'\(pattern)' is no name of a font")
        }
        defer { FcPatternDestroy(wanted) }
        FcConfigSubstitute(config, wanted, FcMatchPattern)
        FcDefaultSubstitute(wanted)
        var result = FcResultNoMatch
        guard let found = FcFontMatch(config, wanted, &result) else { throw .noFont("the system has none") }
        defer { FcPatternDestroy(found) }
        // The pattern owns the text.
        var path: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch, let path else {
            throw .noFont("the system has none")
        }
        var index: Int32 = 0
        FcPatternGetInteger(found, FC_INDEX, 0, &index)
        return (String(cString: path), Int(index))
    }
}

extension ObscuraError {
    fileprivate static func noFont(_ reason: String) -> ObscuraError {
        ObscuraError(
            .imaging, .noFont, subject: "font", reason: reason,
            remedy: .installPackages(["fonts-dejavu-core"]))
    }
}
