// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FilterDefinition {
    /// Larger than any picture.
    private static let mostPixels = 65536.0

    /// Filters that blur.
    static let blurs: [FilterDefinition] = [
        FilterDefinition(
            name: "CIGaussianBlur", category: kCICategoryBlur, inputs: [.number(kCIInputRadiusKey, 10, 0...100)]
        ) { values in
            guard let sigma = values.number(kCIInputRadiusKey), sigma >= 0 else { return nil }
            // Three means of 2r + 1 pixels have a variance of r(r + 1).
            let radius = ((1 + 4 * sigma * sigma).squareRoot() - 1) / 2
            return blur(radius, passes: 3)
        },
        FilterDefinition(
            name: "CIBoxBlur", category: kCICategoryBlur, inputs: [.number(kCIInputRadiusKey, 10, 1...100)]
        ) { values in
            guard let radius = values.number(kCIInputRadiusKey), radius >= 0 else { return nil }
            return blur(radius, passes: 1)
        },
    ]

    private static func blur(_ radius: Double, passes: Int) -> Operation {
        let radius = Int(min(radius.rounded(), mostPixels))
        return { radius == 0 ? $0 : $0.adding(.effect(.blur(radius: radius, passes: passes))) }
    }
}
