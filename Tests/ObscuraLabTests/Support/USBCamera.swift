// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import TestSupport

/// An emulated USB camera of the driver uvcvideo; see `Tests/Lab/uvc`.
struct USBCamera: GuestCamera {
    /// Its number in the commands of the emulator.
    let number: Int
    let name: String
    let path: String

    private static let count = 2
    private static let nodes = "/sys/class/video4linux"
    private static let commands = "/run/lab/uvc"

    static func all() throws -> [USBCamera] {
        try FileManager.default.contentsOfDirectory(atPath: nodes)
            .compactMap { node in
                let folder = "\(nodes)/\(node)"
                // `…/vhci_hcd.0/usb1/1-2/1-2:1.0/video4linux/video2` is on port 2. Node 1 of a camera has its metadata.
                guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: folder),
                    let place = link.firstMatch(of: /vhci_hcd\.0\/usb\d+\/\d+-(\d+)\//),
                    let port = Int(place.1), SmallFile.text(folder + "/index") == "0\n",
                    let name = SmallFile.text(folder + "/name")
                else { return nil }
                return USBCamera(
                    number: port - 1, name: name.trimmingCharacters(in: .newlines), path: "/dev/\(node)")
            }
            .sorted { $0.number < $1.number }
    }

    static func unplug() throws {
        for number in 0..<count { try tell("unplug \(number)") }
    }

    static func plug() throws {
        let connected = try all().map(\.number)
        for number in 0..<count where !connected.contains(number) { try plug(number) }
    }

    /// Connects a camera, with another serial number if one is given; an empty one is none.
    static func plug(_ number: Int, serial: String? = nil) throws {
        try tell("plug \(number)" + (serial.map { " serial=\($0)" } ?? ""))
    }

    /// Connects all cameras anew with the serial numbers of the beginning, and in the state of the beginning.
    static func reset() throws {
        try unplug()
        for number in 0..<count { try plug(number, serial: "LAB000\(number + 1)") }
    }

    func disconnect() throws { try tell("unplug") }

    func show(_ color: GuestColor) throws { try tell("color", color.rawValue) }

    func showDefault() throws { try tell("color", "bars") }

    /// Sends this camera a command of `Tests/Lab/uvc`, and returns the answer.
    @discardableResult
    func tell(_ command: String, _ arguments: String...) throws -> String {
        try Self.tell(([command, "\(number)"] + arguments).joined(separator: " "))
    }

    @discardableResult
    private static func tell(_ command: String) throws -> String {
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard connection >= 0 else { throw Tool.Failure(description: "socket: \(errno)") }
        defer { close(connection) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: commands.utf8) }
        let isConnected = withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                connect(connection, addresses.baseAddress, socklen_t(bytes.count)) == 0
            }
        }
        let line = Array("\(command)\n".utf8)
        guard isConnected, send(connection, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else {
            throw Tool.Failure(description: "the emulator of USB cameras does not run: \(errno)")
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(connection, &part, part.count, 0), count > 0 { answer += part[..<count] }
        let text = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard text.hasPrefix("ok") else { throw Tool.Failure(description: "\(command): \(text)") }
        return String(text.dropFirst(3))
    }
}
