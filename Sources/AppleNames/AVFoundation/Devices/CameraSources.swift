// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Logging
internal import Obscura

/// The cameras and microphones that a program finds: those of `OBSCURA_CAMERAS` and `OBSCURA_MICROPHONES` if they are
/// set, else those of the machine.
///
/// The variables name sources as Obscura's tool does, separated by semicolons. A camera can have a position:
/// `OBSCURA_CAMERAS='front=pattern:640x480@30;back=/dev/video2'`.
enum CameraSources {
    private static let logger = Logger(label: "obscura.avfoundation")

    /// Read once: a device keeps its identity.
    private static let cameras = listed("OBSCURA_CAMERAS")
    private static let microphones = listed("OBSCURA_MICROPHONES")

    /// The devices of a media type, the default one first.
    static func devices(_ type: MediaType, at position: CaptureDevice.Position) -> [CaptureDevice] {
        if let listed = type == .video ? cameras : microphones {
            return listed.filter { position == .unspecified || $0.position == position }
        }
        return CaptureDevice.DiscoverySession(mediaType: type, position: position).devices
    }

    private static func listed(_ variable: String) -> [CaptureDevice]? {
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
        return text.split(separator: ";").compactMap { device(String($0)) }
    }

    private static func device(_ text: String) -> CaptureDevice? {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let position = parts.count == 2 ? CaptureDevice.Position(rawValue: parts[0]) : nil
        do throws(ObscuraError) {
            let device = try CaptureDevice.named(position == nil ? text : parts[1])
            return CaptureDevice(driver: PositionedDriver(device.driver, at: position ?? device.position))
        } catch {
            logger.error("\(text): \(error)")
            return nil
        }
    }
}
