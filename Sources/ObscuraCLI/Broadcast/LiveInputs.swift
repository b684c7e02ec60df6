// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The camera and the microphone of what goes out live; a film goes at its own pace.
enum LiveInputs {
    /// - Parameters:
    ///   - source: what is seen, or heard.
    ///   - microphone: what is heard; `none` for nothing, nil for what goes with the source.
    ///   - trust: whose certificates an address may have.
    static func find(_ source: String, microphone: String?, trust: ServerTrust) throws -> [CaptureDeviceInput] {
        let reading = MovieReadingOptions(trust: trust)
        let device = try CaptureDevice.named(source, reading: reading)
        var devices = [device]
        if let name = microphone {
            if name != "none" { devices.append(try CaptureDevice.named(name, reading: reading)) }
        } else if !device.mediaTypes.contains(.audio), let other = try companion(of: source) {
            devices.append(other)
        }
        return try devices.map { try CaptureDeviceInput(device: $0) }
    }

    private static func companion(of source: String) throws -> CaptureDevice? {
        switch SourceKind(source) {
        case .film: nil
        case .pattern: try CaptureDevice.named("tone")
        default: CaptureDevice.default(for: .audio)
        }
    }
}
