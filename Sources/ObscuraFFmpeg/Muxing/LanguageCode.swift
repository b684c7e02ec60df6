// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The codes of languages in ISO 639-2.
enum LanguageCode {
    /// Returns the bibliographic code of a language, the only one that QuickTime knows: `ger` for `deu`.
    static func bibliographic(_ code: String) -> String { differing[code] ?? code }

    /// All languages with two codes (ISO 639-2, table 1), by the terminologic one.
    private static let differing = [
        "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
        "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut",
        "ron": "rum", "slk": "slo", "sqi": "alb", "zho": "chi",
    ]
}
