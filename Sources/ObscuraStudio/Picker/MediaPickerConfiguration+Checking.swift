// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension MediaPickerConfiguration {
    /// - Throws: ``ObscuraError/Code/invalidConfiguration`` for contradictory settings.
    func check() throws(ObscuraError) {
        func invalid(_ reason: String, _ advice: String? = nil) -> ObscuraError {
            ObscuraError(
                .studio, .invalidConfiguration, subject: "media picker", reason: reason,
                remedy: advice.map(Remedy.advice))
        }
        guard !sources.isEmpty, !kinds.isEmpty else {
            throw invalid("it has no sources, or accepts neither photos nor movies")
        }
        guard (1...RecentMedia.mostNames).contains(maximumCount), (1...maximumCount).contains(minimumCount) else {
            throw invalid("maximumCount must be 1 to \(RecentMedia.mostNames), and minimumCount 1 to maximumCount")
        }
        guard preselected.count <= maximumCount else {
            throw invalid("\(preselected.count) files are preselected, but at most \(maximumCount) are accepted")
        }
        guard showsControls || sources.contains(.camera) else {
            throw invalid("without controls, the camera must be a source", "Add the camera, or show the controls.")
        }
        if let longest = maximumMovieDuration {
            guard (0.1...1_000_000).contains(longest) else {
                throw invalid("the maximum duration of a movie must be 0.1 to 1,000,000 s")
            }
        }
        for color in [accentColor, backgroundColor].compactMap(\.self) where !Self.isColor(color) {
            throw invalid("\(color.prefix(40)) is not a color", "Use the form #rrggbb.")
        }
    }

    private static func isColor(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.hasPrefix("#") && digits.count == 6
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
