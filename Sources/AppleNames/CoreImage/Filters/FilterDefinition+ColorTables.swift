// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

extension FilterDefinition {
    /// Filters that look colors up in a table.
    static let colorTables: [FilterDefinition] = [
        FilterDefinition(
            name: "CIExposureAdjust", category: kCICategoryColorAdjustment,
            inputs: [.number(kCIInputEVKey, 0, -10...10)]
        ) { values in
            guard let exposure = values.number(kCIInputEVKey) else { return nil }
            guard exposure != 0 else { return { $0 } }
            let gain = pow(2, exposure)
            return curve { $0 * gain }
        },
        FilterDefinition(
            name: "CIGammaAdjust", category: kCICategoryColorAdjustment, inputs: [.number("inputPower", 1, 0.25...4)]
        ) { values in
            guard let power = values.number("inputPower"), power > 0 else { return nil }
            guard power != 1 else { return { $0 } }
            return curve { pow($0, power) }
        },
        FilterDefinition(
            name: "CIColorCube", category: kCICategoryColorEffect, inputs: [cubeDimension, cubeData]
        ) { cube($0) },
        FilterDefinition(
            name: "CIColorCubeWithColorSpace", category: kCICategoryColorEffect,
            inputs: [cubeDimension, cubeData, FilterInput(key: "inputColorSpace", kind: .colorSpace)]
        ) { values in
            values.values["inputColorSpace"] is CGColorSpace ? cube(values) : nil
        },
    ]

    private static let cubeDimension = FilterInput.number("inputCubeDimension", 2, 2...64)
    private static let cubeData = FilterInput(key: "inputCubeData", kind: .data(identityCube))

    /// The cube of two entries along each side that changes no color.
    private static let identityCube: Data = {
        var colors: [Float] = []
        for blue: Float in [0, 1] {
            for green: Float in [0, 1] {
                for red: Float in [0, 1] { colors += [red, green, blue, 1] }
            }
        }
        return colors.withUnsafeBytes { Data($0) }
    }()

    /// Returns the operation that changes each component by a function of light.
    private static func curve(_ change: (Double) -> Double) -> Operation? {
        let lines = (0..<256).map { code in
            let value = sRGB(min(max(0, change(light(Double(code) / 255))), 1))
            return "\(value) \(value) \(value)"
        }
        return table("LUT_1D_SIZE 256", lines)
    }

    /// The light of a value of sRGB (IEC 61966-2-1).
    private static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The value of sRGB of light.
    private static func sRGB(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func cube(_ values: FilterValues) -> Operation? {
        guard let side = values.number("inputCubeDimension").flatMap({ Int(exactly: $0) }),
            (2...CubeFile.largestCube).contains(side), let data = values.data("inputCubeData"),
            data.count == side * side * side * 16
        else { return nil }
        let lines = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 16).map { offset in
                let color = (0..<3).map { bytes.loadUnaligned(fromByteOffset: offset + 4 * $0, as: Float.self) }
                return "\(color[0]) \(color[1]) \(color[2])"
            }
        }
        return table("LUT_3D_SIZE \(side)", lines)
    }

    /// - Returns: nil for colors that are not finite.
    private static func table(_ size: String, _ lines: [String]) -> Operation? {
        let text = ([size] + lines).joined(separator: "\n")
        guard let file = try? CubeFile(Array(text.utf8)) else { return nil }
        let effect = VideoEffect.lut(file)
        return { $0.adding(.effect(effect)) }
    }
}
