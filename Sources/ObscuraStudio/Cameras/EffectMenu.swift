// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The effects that pages may request. None of them reads a file, so that no name from the network opens one.
enum EffectMenu {
    static let all: [CameraDescription.Effect] = [
        .init(name: "rosy", label: "Rosy"), .init(name: "mono", label: "Mono"), .init(name: "sepia", label: "Sepia"),
        .init(name: "invert", label: "Invert"), .init(name: "blur", label: "Blur"),
        .init(name: "pixellate", label: "Pixellate"), .init(name: "ripple", label: "Ripple"),
    ]
    /// Names of all effects, each of which a request may list once.
    private static let names = Set(all.map(\.name))

    /// - Parameter ripple: the state of the effect `ripple`.
    static func effects(_ wanted: [String], ripple: Ripple) throws(ObscuraError) -> [VideoEffect] {
        guard Set(wanted).count == wanted.count else {
            throw ObscuraError(
                .studio, .invalidRequest, subject: "effects",
                reason: "an effect is listed twice: \(wanted.joined(separator: ", "))")
        }
        var effects: [VideoEffect] = []
        for name in wanted {
            guard names.contains(name),
                let effect = name == "ripple" ? .ripple(ripple) : try? VideoEffect(parsing: name)
            else {
                throw ObscuraError(
                    .studio, .invalidRequest, subject: "effect \"\(name)\"", reason: "there is no effect of this name",
                    advice: "Use one of: \(all.map(\.name).joined(separator: ", ")).")
            }
            effects.append(effect)
        }
        return effects
    }
}
