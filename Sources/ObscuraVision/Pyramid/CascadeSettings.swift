// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The parameters of detectMultiScale.
struct CascadeSettings: Sendable, Hashable {
    var scaleStep: Double
    var neighbours: Int
    var smallest: PixelSize
    var largest: PixelSize?
}
