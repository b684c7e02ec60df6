// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Text that a terminal only shows.
///
/// Titles of movies, answers of servers, names of files and words of libraries are written by anybody. A terminal obeys
/// control characters in them: they could change what stands on the screen already, or in some terminals more than that.
/// Characters that turn the direction of writing could show another name than the one that is meant.
enum PlainText {
    /// With a replacement character for each one that is obeyed rather than shown. Ends of lines and tabs stay.
    static func make(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isObeyed) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(isObeyed(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t": false
        // Unicode's controls of direction (UAX #9).
        case "\u{061C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.generalCategory == .control
        }
    }
}
