// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Two cameras in one session, with the frames that were captured at the same time.
///
///     swift run TwoCameras pattern:640x360@30 pattern:320x180@30
@main
struct TwoCameras {
    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        let sources = names.count == 2 ? Array(names) : ["pattern:640x360@30", "pattern:320x180@30"]
        let inputs = try sources.map { try CaptureDeviceInput(device: .named($0)) }
        let outputs = [VideoDataOutput(name: "left"), VideoDataOutput(name: "right")]

        let session = CaptureSession()
        try await session.configure {
            for (input, output) in zip(inputs, outputs) {
                try $0.addInput(input)
                try $0.addOutput(output)
                try $0.connect(output, to: input)
            }
        }
        try await session.start()
        var count = 0
        for try await set in CaptureSynchronizer(outputs: outputs).frameSets {
            print(set.frames.map { frame in frame.map { "\($0.sequence) \($0.buffer.size)" } ?? "none" })
            count += 1
            if count == 10 { break }
        }
        await session.stop()
    }
}
