// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Text that is safe to show in a terminal.
///
/// Titles of movies, responses of servers, file names and messages of libraries are untrusted. A terminal
/// interprets control characters in them: they could change text already on screen and, in some terminals, more
/// than that. Characters that change the writing direction could disguise a name.
enum PlainText {
    /// Replaces each control character with a replacement character. Line ends and tabs are kept.
    static func make(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isObeyed) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(isObeyed(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        // Unicode's directional formatting characters (UAX #9).
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.generalCategory == .control
        }
    }
}
