// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport

/// A camera of the guest that tests configure, unplug and plug in again: of the driver vivid, or an emulated USB camera.
protocol GuestCamera: Sendable {
    /// The name that the driver gives it.
    var name: String { get }
    /// Such as `/dev/video0`.
    var path: String { get }

    /// The connected cameras.
    static func all() throws -> [Self]
    /// Disconnects all cameras, and returns when they are gone.
    static func unplug() throws
    /// Connects all cameras again, and returns when they are back. Does nothing if they are connected.
    static func plug() throws

    /// Disconnects this camera. The driver may keep its node.
    func disconnect() throws
    /// Fills the frames, or most of them, with one color.
    func show(_ color: GuestColor) throws
    /// Ends ``show(_:)``.
    func showDefault() throws
}

enum GuestColor: String {
    case red
    case green
}

extension GuestCamera {
    /// Sets a control, by the name that `v4l2-ctl --list-ctrls` gives it.
    func set(_ control: String, to value: Int) throws {
        try Lab.run("v4l2-ctl", "--device", path, "--set-ctrl", "\(control)=\(value)")
    }

    /// The value of a control.
    func value(of control: String) throws -> Int {
        let said = try Lab.run("v4l2-ctl", "--device", path, "--get-ctrl", control)
        let word = said.split(separator: ":").last?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let value = word.flatMap({ Int($0) }) else { throw Tool.Failure(description: "\(control): \(said)") }
        return value
    }
}
