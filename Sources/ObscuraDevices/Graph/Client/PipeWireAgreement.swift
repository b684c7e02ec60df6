// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import ObscuraMedia

/// The format that a stream and its node have agreed on.
struct PipeWireAgreement: Sendable, Hashable {
    let layout: PipeWireLayout
    let format: VideoFormat
    let colorSpace: ColorSpace?
}

extension PipeWireAgreement {
    /// Returns nil for a format that is not supported.
    init?(_ format: OPWFormat) {
        guard let layout = PipeWireLayout.of(subtype: format.subtype, format: format.format),
            (1...32768).contains(format.width), (1...32768).contains(format.height)
        else { return nil }
        self.layout = layout
        let interval = FrameInterval(numerator: format.rate.denominator, denominator: format.rate.numerator)
        self.format = VideoFormat(
            pixelFormat: layout.pixelFormat, width: Int(format.width), height: Int(format.height),
            frameRate: interval.frameRate)
        colorSpace = PipeWireColors(
            range: format.colorRange, matrix: format.colorMatrix, transfer: format.colorTransfer,
            primaries: format.colorPrimaries
        ).meaning(for: layout.pixelFormat)
    }
}
