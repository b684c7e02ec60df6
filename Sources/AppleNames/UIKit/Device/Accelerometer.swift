// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Foundation

/// The accelerometer of a machine, as the kernel's subsystem for industrial input and output shows it in sysfs
/// (Documentation/ABI/testing/sysfs-bus-iio of Linux).
struct Accelerometer {
    private static let axes = ["x", "y", "z"]

    /// The folder of the device.
    private let folder: URL

    /// The first accelerometer; nil for a machine without one.
    init?(in devices: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: devices.path)) ?? []
        let folders = names.sorted().map { devices.appendingPathComponent($0, isDirectory: true) }
        guard let found = folders.first(where: { Self.raw("x", in: $0) != nil }) else { return nil }
        folder = found
    }

    /// The orientation; unknown if no axis is near the vertical, and if the device does not answer.
    var orientation: UIDeviceOrientation {
        guard let up = measured(), let (axis, value) = up.enumerated().max(by: { abs($0.1) < abs($1.1) }).map({ $0 })
        else { return .unknown }
        let length = up.reduce(0) { $0 + $1 * $1 }.squareRoot()
        // Within 35 degrees of the vertical, so that a position between two is unknown.
        guard length > 0, abs(value) > 0.82 * length else { return .unknown }
        switch axis {
        case 0: return value > 0 ? .landscapeLeft : .landscapeRight
        case 1: return value > 0 ? .portrait : .portraitUpsideDown
        default: return value > 0 ? .faceUp : .faceDown
        }
    }

    /// The acceleration against gravity, which points up, in the coordinates of the screen: to the right, up, and out of
    /// it. The unit does not matter. Nil if an axis cannot be read.
    private func measured() -> [Double]? {
        let raw = Self.axes.compactMap { Self.raw($0, in: folder) }
        guard raw.count == 3 else { return nil }
        return matrix.map { row in zip(row, raw).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// The matrix from the axes of the chip to those of the screen.
    private var matrix: [[Double]] {
        let texts = ["in_accel_mount_matrix", "in_mount_matrix", "mount_matrix"].compactMap { name in
            try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        let rows = (texts.first ?? "").split(separator: ";").map { row in
            row.split(separator: ",").compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }) else { return [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
        return rows
    }

    private static func raw(_ axis: String, in folder: URL) -> Double? {
        let file = folder.appendingPathComponent("in_accel_\(axis)_raw")
        return (try? String(contentsOf: file, encoding: .utf8))
            .flatMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}
