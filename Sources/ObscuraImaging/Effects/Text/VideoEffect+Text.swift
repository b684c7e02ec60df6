// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoEffect {
    /// Writes a text over the picture.
    ///
    /// Letters are drawn by FreeType, one after the other, with kerning; lines end with `\n`. Scripts whose letters
    /// change with their neighbours, or that run from right to left, are not laid out. The picture of the text is drawn
    /// once.
    ///
    /// - Throws: ``ObscuraError/Code/noFont`` where the system has no font, or the style names a file that is none.
    public static func text(
        _ text: String, style: TextStyle = TextStyle(), at placement: OverlayPlacement = .topLeft
    ) throws(ObscuraError) -> VideoEffect {
        let layers = try TextLayers(style)
        return VideoEffect(
            name: "text", key: TextKey(text: text, style: style, placement: placement),
            renderer: OverlayEffect(placement: placement, sized: { size, _ in try layers.layer(for: text, in: size) }))
    }

    /// Writes a text over the picture that is made for each frame: a count, a measurement, a place.
    ///
    /// It is drawn anew when it changes.
    ///
    /// - Parameter body: the text for a frame; an empty one is none. Called once for each frame, on threads of the
    ///   transforms.
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

    /// Writes the date and the time of day at which the frame was taken, as the clock on the wall showed it.
    ///
    /// - Parameter format: as strftime(3) has it: `%H:%M:%S` for the time alone.
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
    /// What the clock on the wall showed at the time of the frame.
    ///
    /// - Parameters:
    ///   - wall: what it shows now.
    ///   - host: what CLOCK_MONOTONIC shows now.
    package func wallTime(now wall: WallTime = .now, host: HostTime = .now) -> WallTime {
        let (time, overflow) = wall.nanosecondsSince1970.subtractingReportingOverflow(
            (host - hostTime).wholeNanoseconds)
        return WallTime(
            nanosecondsSince1970: overflow ? wall.nanosecondsSince1970 : time, secondsFromUTC: wall.secondsFromUTC)
    }
}
