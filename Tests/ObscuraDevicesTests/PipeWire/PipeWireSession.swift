// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Glibc
import ObscuraBase
import ObscuraCapture
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

/// A private session with PipeWire and its session manager, and no devices of the machine; see Tests/PipeWire/hold.py.
final class PipeWireSession: Sendable {
    private struct Description: Decodable {
        let environment: [String: String]
        let camera: String
    }

    private static let common = Task { try await PipeWireSession() }

    /// The session of all tests that do not restart it. It ends with the process.
    static var shared: PipeWireSession { get async throws { try await common.value } }

    private let folder: TemporaryFolder
    private let holder: BackgroundTool
    private let description: Description

    init() async throws {
        let folder = try TemporaryFolder()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../PipeWire/hold.py").standardized.path
        let holder = try BackgroundTool("/usr/bin/python3", ["-B", script, folder.path])
        let isReady = await becomes {
            !holder.isRunning || FileManager.default.fileExists(atPath: folder("session.json"))
        }
        try #require(isReady && holder.isRunning, "\(holder.words)")
        description = try JSONDecoder().decode(
            Description.self, from: Data(contentsOf: URL(fileURLWithPath: folder("session.json"))))
        self.folder = folder
        self.holder = holder
    }

    deinit {
        holder.stop(signal: SIGTERM)
    }

    private var socket: String { (description.environment["XDG_RUNTIME_DIR"] ?? "") + "/pipewire-0" }

    /// The way to the session's daemon.
    var remote: PipeWireRemote {
        PipeWireRemote(
            open: { [socket] () throws(ObscuraError) -> Int32 in
                let descriptor = connected(to: socket)
                guard descriptor >= 0 else { throw .system(ENODEV, "PipeWire", "") }
                return descriptor
            },
            isAvailable: { [socket] in access(socket, F_OK) == 0 },
            folder: description.environment["XDG_RUNTIME_DIR"])
    }

    /// Kills the daemon and its session manager, and starts them again.
    func restart() {
        write("restart\n", toPipe: folder("commands"))
    }

    /// Plays a tone into a node, for as long as the object lives.
    func tone(into node: String, hertz: Int, amplitude: Double) throws -> BackgroundTool {
        let file = folder("tone-\(hertz).wav")
        try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "aevalsrc=\(amplitude)*sin(2*PI*\(hertz)*t)|0:s=48000:d=60",
                file,
            ])
        return try program("exec pw-play --target \(node) \(file)")
    }

    /// Runs a shell command in the session.
    func program(_ command: String) throws -> BackgroundTool {
        let environment = description.environment.filter { $0.key.hasPrefix("XDG_") || $0.key.hasPrefix("DBUS_") }
        return try BackgroundTool("env", environment.map { "\($0.key)=\($0.value)" } + ["bash", "-c", command])
    }

    /// Connects a camera, and waits until the daemon has it.
    ///
    /// - Parameters:
    ///   - options: those of Tests/PipeWire/camera.c.
    ///   - name: nil for a name that no other camera has.
    func camera(_ options: [String] = [], name: String? = nil) async throws -> PipeWireTestCamera {
        let name = name ?? "camera.\(UUID().uuidString.prefix(8))"
        let camera = try PipeWireTestCamera(name, options, program: description.camera, in: self)
        try await camera.isReady()
        return camera
    }

    /// The cameras of the session, beside those of a kernel without any.
    func finder(kernel: FakeMachine) -> MachineCameraFinder {
        MachineCameraFinder(kernel: kernel.finder, remote: remote)
    }

    /// The camera with a name, as a driver.
    func driver(_ name: String) async throws -> PipeWireDriver {
        let finder = finder(kernel: try FakeMachine())
        _ = await becomes { finder.devices.contains { $0.uniqueID == name } }
        let device = try #require(finder.devices.first { $0.uniqueID == name })
        return PipeWireDriver(
            device: device, node: name, finder: finder, monitor: DeviceMonitor(finder: finder), remote: remote,
            decoders: NoDecoders())
    }
}

/// A camera of a session that obeys a test.
final class PipeWireTestCamera: Sendable {
    let name: String
    private let folder: TemporaryFolder
    private let process: BackgroundTool
    private let session: PipeWireSession

    fileprivate init(_ name: String, _ options: [String], program: String, in session: PipeWireSession) throws {
        self.name = name
        self.session = session
        folder = try TemporaryFolder()
        let pipe = folder("commands")
        guard mkfifo(pipe, 0o600) == 0 else { throw Tool.Failure(description: "no pipe") }
        let words = ([name] + options).map { "'\($0)'" }.joined(separator: " ")
        // Also open for writing, so that it has no end between two commands.
        process = try session.program("exec '\(program)' \(words) <>'\(pipe)' >'\(folder("events"))'")
    }

    fileprivate func isReady() async throws {
        let isReady = await becomes { !process.isRunning || events.contains("ready") }
        try #require(isReady && process.isRunning, "\(process.words)")
    }

    /// What it has written so far.
    var events: String { SmallFile.text(folder("events")) ?? "" }

    /// Gives it a command.
    func tell(_ command: String) {
        write(command + "\n", toPipe: folder("commands"))
    }

    /// Disconnects the camera, and waits until it is gone.
    func unplug() async {
        tell("unplug")
        _ = await becomes { !process.isRunning }
    }

    /// The color of frame `sequence`: Y, Cb, Cr, or red, green, blue.
    static func color(of sequence: UInt64, isYUV: Bool) -> [UInt8] {
        guard !isYUV else { return [UInt8(16 + 7 * sequence % 200), 90, 160] }
        let red = UInt8(truncatingIfNeeded: 7 * sequence)
        return [red, 255 - red, UInt8(truncatingIfNeeded: 3 * sequence)]
    }
}

/// For cameras without compressed frames.
struct NoDecoders: FrameDecoderProvider {
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)? { nil }
}

/// Writes to a pipe that another process reads.
private func write(_ text: String, toPipe path: String) {
    let descriptor = open(path, O_WRONLY | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = Glibc.write(descriptor, text, text.utf8.count)
}

/// Returns a socket that is connected with a server, or -1.
private func connected(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        bytes.copyBytes(from: Array(path.utf8).prefix(bytes.count - 1))
    }
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard status == 0 else {
        close(descriptor)
        return -1
    }
    return descriptor
}

extension Trait where Self == ConditionTrait {
    /// For tests with a private PipeWire session.
    static var pipeWireSession: Self {
        .enabled("PipeWire or WirePlumber is not installed") {
            guard case .success = PipeWireLibrary.shared else { return false }
            return ["pipewire", "wireplumber", "pw-cli"].allSatisfy { name in
                access("/usr/bin/\(name)", X_OK) == 0
            }
        }
    }
}
