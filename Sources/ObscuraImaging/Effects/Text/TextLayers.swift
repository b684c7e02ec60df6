// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
package import ObscuraMedia

/// Layers of text in one style; the last one is reused while the text is the same. Thread-safe.
package final class TextLayers: Sendable {
    private struct State {
        var face: (pixels: Int, face: FontFace)?
        var last: (text: String, picture: PixelSize, layer: PixelBuffer?)?
    }

    /// Maximum length of a drawn text.
    private static let mostCharacters = 2000

    private let style: TextStyle
    private let font: (path: String, index: Int)
    private let state: Lock<State>

    /// Finds the font.
    ///
    /// - Parameter configuration: a Fontconfig file instead of the system's, for tests.
    /// - Throws: ``ObscuraError/Code/noFont``.
    package init(_ style: TextStyle, configuration: String? = nil) throws(ObscuraError) {
        self.style = style
        if style.font.contains("/") {
            font = (style.font, 0)
        } else {
            font = try FontCatalog(configuration: configuration).file(for: style.font)
        }
        // Opened here, so that an unreadable font is reported before the first frame.
        let face = try FontFace(path: font.path, index: font.index, pixels: 32)
        state = Lock(State(face: (32, face)))
    }

    /// Returns the text for a frame of this size as BGRA with alpha; nil if nothing is visible.
    ///
    /// The text is clipped to twice the width and height of the frame.
    package func layer(for text: String, in picture: PixelSize) throws -> PixelBuffer? {
        try state.withLock { state in
            if let last = state.last, last.text == text, last.picture == picture { return last.layer }
            let pixels = style.pixels(inHeight: picture.height)
            let face: FontFace
            if let last = state.face, last.pixels == pixels {
                face = last.face
            } else {
                face = try FontFace(path: font.path, index: font.index, pixels: pixels)
                state.face = (pixels, face)
            }
            let drawing = TextDrawing(String(text.prefix(Self.mostCharacters)), face, pixels: pixels, picture)
            let layer = try drawing?.layer(style)
            state.last = (text, picture, layer)
            return layer
        }
    }
}
