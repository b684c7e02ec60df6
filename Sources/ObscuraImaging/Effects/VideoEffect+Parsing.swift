// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension VideoEffect {
    /// The syntax of each effect for ``init(parsing:)``, such as `blur[:RADIUS]`, for a help text or a menu. Brackets
    /// mark optional parts.
    public static let forms = Form.all.map(\.description)

    /// Parses an effect in the syntax of the `obscura` command: `rosy`, `blur:8`, `lut:grade.cube`,
    /// `text:Hello@right,bottom`, `overlay:logo.png@16,16`.
    ///
    /// A position is `@X,Y`, where X is `left`, `center`, `right` or a number of pixels from the left, and Y is `top`,
    /// `center`, `bottom` or a number of pixels from the top. In a text, `\n` begins a new line.
    ///
    /// - Throws: ``ObscuraError/Code/invalidRequest`` for an unknown name or an invalid value; the message contains the
    ///   valid names or values. Also an error if a file of the effect cannot be read, or no font is installed.
    public init(parsing text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let form = Form.all.first(where: { $0.name == parts[0] }) else {
            throw ObscuraError.wrongEffect(
                text, "there is no such effect", "Choose one of: \(Self.forms.joined(separator: ", ")).")
        }
        let value = parts.count > 1 ? parts[1] : nil
        if value?.isEmpty ?? form.isValueNeeded, form.value != nil {
            throw ObscuraError.wrongEffect(text, "a value is missing", "Write it as \(form).")
        }
        if value != nil, form.value == nil {
            throw ObscuraError.wrongEffect(text, "\(form.name) takes no value", nil)
        }
        self = try form.make(Request(text: text, value: value))
    }

    /// The parsed parts of an effect.
    private struct Request {
        let text: String
        let value: String?

        /// Returns the number, or `usual` if there is none.
        func number(_ usual: Int, in allowed: ClosedRange<Int>) throws(ObscuraError) -> Int {
            guard let value else { return usual }
            guard let number = Int(value), allowed.contains(number) else {
                throw .wrongEffect(
                    text, "'\(value)' is not a whole number from \(allowed.lowerBound) to \(allowed.upperBound)", nil)
            }
            return number
        }

        /// The value, and the position after it.
        var placed: (value: String, place: OverlayPlacement) {
            let value = value ?? ""
            guard let at = value.lastIndex(of: "@"),
                let place = OverlayPlacement(parsing: String(value[value.index(after: at)...]))
            else { return (value, .topLeft) }
            return (String(value[..<at]), place)
        }
    }

    /// An effect with its name and syntax.
    private struct Form: Sendable, CustomStringConvertible {
        let name: String
        /// The syntax of its value; nil for none.
        var value: String?
        var isValueNeeded = false
        let make: @Sendable (Request) throws -> VideoEffect

        var description: String {
            guard let value else { return name }
            return isValueNeeded ? "\(name):\(value)" : "\(name)[:\(value)]"
        }

        static let all: [Form] = [
            Form(name: "rosy") { _ in .rosy },
            Form(name: "mono") { _ in .mono },
            Form(name: "sepia") { _ in .sepia },
            Form(name: "invert") { _ in .invert },
            Form(name: "blur", value: "RADIUS") { .blur(radius: try $0.number(8, in: 1...10_000)) },
            Form(name: "pixellate", value: "SIDE") { .pixellate(side: try $0.number(16, in: 2...10_000)) },
            Form(name: "ripple", value: "DROPS-PER-SECOND") {
                .ripple(Ripple(rain: Double(try $0.number(1, in: 1...120))))
            },
            Form(name: "lut", value: "FILE.cube", isValueNeeded: true) { try .lut(file: $0.value ?? "") },
            Form(name: "overlay", value: "FILE.png[@X,Y]", isValueNeeded: true) {
                let (path, place) = $0.placed
                return .overlay(try Still(contentsOf: path).picture, at: place)
            },
            Form(name: "text", value: "TEXT[@X,Y]", isValueNeeded: true) {
                let (text, place) = $0.placed
                return try .text(
                    text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n"), at: place)
            },
            Form(name: "time", value: "FORMAT[@X,Y]") {
                let (format, place) = $0.placed
                return format.isEmpty ? try .time(at: place) : try .time(at: place, format: format)
            },
        ]
    }
}

extension OverlayPlacement {
    /// Parses a position such as `right,bottom` or `16,24`; nil for an invalid one.
    fileprivate init?(parsing text: String) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count == 2, let x = Self.position(words[0], "left", "right"),
            let y = Self.position(words[1], "top", "bottom")
        else { return nil }
        self.init(x: x, y: y)
    }

    private static func position(_ word: Substring, _ start: String, _ end: String) -> Position? {
        switch word {
        case _ where word == start: .start(0)
        case _ where word == end: .end(0)
        case "center": .middle
        default: Int(word).map { .start($0) }
        }
    }
}

extension ObscuraError {
    fileprivate static func wrongEffect(_ text: String, _ reason: String, _ advice: String?) -> ObscuraError {
        ObscuraError(.imaging, .invalidRequest, subject: "effect '\(text.prefix(200))'", reason: reason, advice: advice)
    }
}
