// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The codes of languages in ISO 639-2.
package enum LanguageCode {
    /// Returns the bibliographic code of a language, the only one that QuickTime knows: `ger` for `deu`.
    static func bibliographic(_ code: String) -> String { differing[code] ?? code }

    /// Returns the terminologic code of a language: `deu` for `ger`, which Matroska files contain.
    package static func terminologic(_ code: String) -> String {
        differing.first { $0.value == code }?.key ?? code
    }

    /// Whether the text has the form of a code: three lower-case letters.
    package static func isValid(_ code: String) -> Bool {
        code.utf8.count == 3 && code.utf8.allSatisfy { (0x61...0x7a).contains($0) }
    }

    /// All languages with two codes (ISO 639-2, table 1), by the terminologic one.
    private static let differing = [
        "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
        "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut",
        "ron": "rum", "slk": "slo", "sqi": "alb", "zho": "chi",
    ]
}
