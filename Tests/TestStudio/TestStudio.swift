// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura
import ObscuraBase
import ObscuraStudio

/// A Studio whose cameras obey the lines of standard input: `TestStudio LIBRARY`.
///
/// `unplug` and `plug`; `deny` and `allow`, which hold from the next start on. It ends with the input, and says its
/// address as `obscura studio` does.
@main
struct TestStudio {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { exit(64) }
        let cameras = [PlugCamera(position: .front), PlugCamera(position: .back)]
        let devices = cameras.map { CaptureDevice(driver: $0) }
        var configuration = StudioConfiguration(libraryFolder: CommandLine.arguments[1])
        configuration.sources = ["first"]
        configuration.port = 0
        let tone = try CaptureDevice.named("tone")
        let server = try StudioServer(
            configuration,
            devices: StudioDevices(
                list: { $0 == .video ? devices : [tone] }, builtIn: { _ in [] }, named: { _ in devices[0] },
                events: { AsyncStream(bufferingPolicy: .bufferingNewest(1)) { _ in } }))
        let serving = Task {
            try await server.run { FileHandle.standardOutput.write(Data("The Studio is at \($0)\n".utf8)) }
        }
        let isReading = WorkerThread.detach(name: "lines") {
            while let line = readLine() {
                for camera in cameras {
                    switch line {
                    case "unplug": camera.plug.pull()
                    case "plug": camera.plug.put()
                    case "deny": camera.plug.deny(true)
                    case "allow": camera.plug.deny(false)
                    default: exit(64)
                    }
                }
                // Whoever wrote the line waits for this one.
                FileHandle.standardOutput.write(Data("\(line)\n".utf8))
            }
            serving.cancel()
        }
        guard isReading else { exit(1) }
        try await serving.value
    }
}
