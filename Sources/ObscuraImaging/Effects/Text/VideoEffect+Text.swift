// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// Draws a text over the frame.
    ///
    /// A line break such as `\n` begins a new line. Complex scripts and right-to-left text are not supported: glyphs are
    /// drawn from left to right, in the order of the text, with kerning. The text is rendered once.
    ///
    /// - Throws: ``ObscuraError/Code/noFont`` if no font is installed, or the font file of `style` cannot be read.
    public static func text(
        _ text: String, style: TextStyle = TextStyle(), at placement: OverlayPlacement = .topLeft
    ) throws(ObscuraError) -> VideoEffect {
        let layers = try TextLayers(style)
        return VideoEffect(
            name: "text", key: TextKey(text: text, style: style, placement: placement),
            renderer: OverlayEffect(placement: placement, sized: { size, _ in try layers.layer(for: text, in: size) }))
    }

    /// Draws a text that a closure makes for each frame, such as a count, a measurement or a location.
    ///
    /// The text is rendered only when it changes.
    ///
    /// - Parameters:
    ///   - style: font, size and color.
    ///   - placement: the position in the upright frame.
    ///   - body: returns the text for a frame; an empty text draws nothing. Called once per frame, on threads of
    ///     Obscura.
    /// - Throws: as ``text(_:style:at:)``.
    public static func text(
        style: TextStyle = TextStyle(), at placement: OverlayPlacement = .topLeft,
        _ body: @escaping @Sendable (EffectContext) -> String
    ) throws(ObscuraError) -> VideoEffect {
        let layers = try TextLayers(style)
        return VideoEffect(
            name: "text",
            renderer: OverlayEffect(placement: placement, sized: { try layers.layer(for: body($1), in: $0) }))
    }

    /// Draws the local date and time of the frame.
    ///
    /// - Parameters:
    ///   - style: font, size and color.
    ///   - placement: the position in the upright frame.
    ///   - format: a format of strftime(3), such as `%H:%M:%S` for the time alone.
    /// - Throws: as ``text(_:style:at:)``.
    public static func time(
        style: TextStyle = TextStyle(), at placement: OverlayPlacement = .topLeft,
        format: String = "%Y-%m-%d %H:%M:%S"
    ) throws(ObscuraError) -> VideoEffect {
        let layers = try TextLayers(style)
        return VideoEffect(
            name: "time", key: TextKey(text: format, style: style, placement: placement),
            renderer: OverlayEffect(
                placement: placement,
                sized: { try layers.layer(for: $1.wallTime().formatted(format), in: $0) }))
    }

    private struct TextKey: Hashable {
        let text: String
        let style: TextStyle
        let placement: OverlayPlacement
    }
}

extension EffectContext {
    /// Returns the wall-clock time of the frame.
    ///
    /// - Parameters:
    ///   - wall: the current wall-clock time.
    ///   - host: the current time of CLOCK_MONOTONIC.
    package func wallTime(now wall: WallTime = .now, host: HostTime = .now) -> WallTime {
        WallTime(of: hostTime, now: wall, host: host)
    }
}
