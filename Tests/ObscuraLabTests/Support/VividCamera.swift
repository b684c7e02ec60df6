// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport

/// A camera of the kernel's driver vivid.
///
/// All of them belong to one device of the kernel: they are pulled out and come back together.
struct VividCamera: GuestCamera {
    /// Such as `vivid-000-vid-cap`.
    let name: String
    let path: String

    private static let device = "vivid.0"
    private static let driver = "/sys/bus/platform/drivers/vivid"
    private static let nodes = "/sys/class/video4linux"

    /// The colours of its bars, columns from left to right and rows from top to bottom, as far as each channel is on.
    static let bars: [(red: Int, green: Int, blue: Int)] = [
        (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
    ]

    /// The cameras that are there now, by their names.
    static func all() throws -> [VividCamera] {
        try FileManager.default.contentsOfDirectory(atPath: nodes)
            .compactMap { node in
                let file = "\(nodes)/\(node)/name"
                guard let name = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
                return VividCamera(name: name.trimmingCharacters(in: .newlines), path: "/dev/\(node)")
            }
            .filter { $0.name.hasPrefix("vivid-") && $0.name.hasSuffix("-vid-cap") }
            .sorted { $0.name < $1.name }
    }

    static func unplug() throws {
        try write(device, to: "\(driver)/unbind")
    }

    static func plug() throws {
        guard !FileManager.default.fileExists(atPath: "\(driver)/\(device)") else { return }
        try write(device, to: "\(driver)/bind")
    }

    /// Loads the driver anew with other parameters, such as `n_devs=1 multiplanar=2`.
    static func reload(_ parameters: String...) throws {
        try Lab.run("modprobe", "--remove", "vivid")
        try Tool.run("modprobe", ["vivid"] + parameters)
    }

    /// As the guest has it from its beginning.
    static func reload() throws {
        try reload("n_devs=2", "node_types=0x1,0x1")
    }

    private static func write(_ word: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: Data(word.utf8))
        try file.close()
    }

    func disconnect() throws { try set("disconnect", to: 1) }

    func show(_ color: GuestColor) throws {
        try set("test_pattern", to: color == .red ? 7 : 8)
        try set("osd_text_mode", to: 2)
    }

    func showDefault() throws {
        try set("test_pattern", to: 0)
        try set("osd_text_mode", to: 0)
    }
}
