// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraDevices

/// Asks for permission to use cameras, and prints a JSON object a line for Tests/PipeWire.
///
///     TestPermission [--portal automatic|always|never] [--id APPLICATION]
///
/// The lines of the standard input are commands, which run on the main actor:
///
///     portal        the permission of the portal
///     device        that of the default camera, by the public API
///     list          the cameras of the machine
///     events        from now on, prints the cameras that are connected and disconnected
///     ask NAME      begins to ask the portal; prints the answer when it arrives
///     request NAME  the same by the public API
///     frame NAME    the same by a FrameExtractor, which then needs a camera
///     cancel NAME   cancels the task that asks
///     remote        opens a connection to PipeWire, and closes it
///     power         from now on, prints the sleep of the machine and the lock of the session
@main @MainActor
struct TestPermission {
    private var tasks: [String: Task<Void, Never>] = [:]
    private var observation: AnyObject?

    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        while let option = arguments.popFirst(), let value = arguments.popFirst() {
            switch option {
            case "--portal": CameraPermission.settings.portalUse = .init(rawValue: value) ?? .automatic
            case "--id": CameraPermission.settings.applicationID = value
            default: exit(64)
            }
        }
        var program = TestPermission()
        let lines = AsyncStream<String>(bufferingPolicy: .bufferingOldest(1000)) { continuation in
            _ = WorkerThread.detach(name: "input") {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
        for await line in lines {
            let words = line.split(separator: " ").map(String.init)
            program.run(words.first ?? "", words.dropFirst().first ?? "")
        }
    }

    private mutating func run(_ command: String, _ name: String) {
        switch command {
        case "portal": Self.print(CameraPortal.shared.access, as: "portal")
        case "device":
            Self.print([
                "command": "device", "status": CaptureDevice.authorizationStatus(for: .video).rawValue,
                "reason": CaptureDevice.accessReason(for: .video)?.rawValue as Any,
                "remedy": CaptureDevice.accessRemedy(for: .video)?.description as Any,
                "sandboxed": CameraSandbox.current.isSandboxed, "portal": CameraPortal.isUsed,
            ])
        case "list":
            let cameras = CaptureDevice.DiscoverySession().devices
            Self.print(["command": "list", "cameras": cameras.map { [$0.uniqueID, $0.authorizationStatus.rawValue] }])
        case "events":
            let events = CaptureDevice.events
            Task {
                for await event in events where event.device.mediaTypes.contains(.video) {
                    let name = if case .connected = event { "connected" } else { "disconnected" }
                    let device = event.device
                    Self.print([
                        "command": "event", "event": name, "id": device.uniqueID,
                        "status": device.authorizationStatus.rawValue,
                    ])
                }
            }
            Self.print(["command": "events"])
        case "ask":
            tasks[name] = Task { Self.print(await CameraPortal.shared.requestAccess(), as: name) }
        case "request":
            tasks[name] = Task {
                Self.print(["command": name, "granted": await CaptureDevice.requestAccess(for: .video)])
            }
        case "frame":
            tasks[name] = Task {
                do throws(ObscuraError) {
                    for try await frame in FrameExtractor().frames {
                        Self.print(["command": name, "frame": frame.video.sequence])
                        return
                    }
                    Self.print(["command": name, "ended": true])
                } catch {
                    Self.print(["command": name, "code": error.code.description, "message": error.description])
                }
            }
        case "cancel": tasks[name]?.cancel()
        case "remote":
            // Blocks, so not on the main actor.
            _ = WorkerThread.detach(name: "remote") {
                do throws(ObscuraError) {
                    let descriptor = try CameraPortal.shared.openRemote()
                    let isSocket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).isSocket
                    Self.print(["command": "remote", "socket": isSocket])
                } catch {
                    Self.print(["command": "remote", "code": error.code.description, "message": error.description])
                }
            }
        case "power":
            observation = PowerMonitor.shared.observe(noticesLock: true) {
                let reason = PowerMonitor.shared.interruption(noticesLock: true)
                Self.print(["command": "power", "interruption": reason?.rawValue ?? "none"])
            }
            Self.print(["command": "power", "observes": true])
        default: exit(64)
        }
    }

    private nonisolated static func print(_ access: CameraAccess, as name: String) {
        Self.print([
            "command": name, "status": access.status.rawValue, "reason": access.reason?.rawValue as Any,
            "remedy": access.remedy?.description as Any,
        ])
    }

    private nonisolated static func print(_ values: [String: Any]) {
        let kept = values.filter { !("\($0.value)" == "nil") }
        guard let data = try? JSONSerialization.data(withJSONObject: kept, options: .sortedKeys) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}

extension FileHandle {
    fileprivate var isSocket: Bool {
        var status = stat()
        return fstat(fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
