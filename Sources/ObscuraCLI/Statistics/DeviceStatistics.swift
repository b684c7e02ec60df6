// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The statistics of the device.
struct DeviceStatistics: Codable {
    let name: String
    let received: UInt64
    /// Frames that the driver lost, computed from gaps in the sequence numbers.
    let gaps: UInt64
    /// Frames that the device flagged as broken.
    let lost: UInt64
    let width: Int?
    let height: Int?
    let pixelFormat: String?
    let framesPerSecond: Double?
}

extension DeviceStatistics {
    init(_ input: SessionLedger.Input, _ format: VideoFormat?) {
        self.init(
            name: input.device, received: input.received, gaps: input.gaps, lost: input.lost,
            width: format?.width, height: format?.height, pixelFormat: format?.pixelFormat.rawValue,
            framesPerSecond: format?.frameRate?.framesPerSecond)
    }
}
