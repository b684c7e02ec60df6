// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// Pictures of known colours, in every layout of the driver, come out in these colours.
@Suite("Colours of a camera", .guest, .serialized)
struct ColorBarTests {
    /// What is asked of vivid's picture generator, by the numbers of its menus.
    struct Colors: CustomTestStringConvertible {
        let matrix: ColorSpace.Matrix
        let range: ColorSpace.Range

        var encoding: Int { matrix == .bt601 ? 1 : 2 }
        var quantization: Int { range == .full ? 1 : 2 }
        var testDescription: String { "\(matrix.rawValue) \(range.rawValue)" }

        static let all = [ColorSpace.Matrix.bt601, .bt709].flatMap { matrix in
            [ColorSpace.Range.limited, .full].map { Colors(matrix: matrix, range: $0) }
        }
    }

    @Test("The bars are within 3 of their colours in every layout, matrix and range", arguments: Colors.all)
    func bars(colors: Colors) async throws {
        let camera = try #require(try VividCamera.all().first)
        try camera.set("test_pattern", to: 1)
        try camera.set("osd_text_mode", to: 2)
        try camera.set("y_cbcr_encoding", to: colors.encoding)
        try camera.set("quantization", to: colors.quantization)
        defer {
            for control in ["test_pattern", "osd_text_mode", "y_cbcr_encoding", "quantization"] {
                try? camera.set(control, to: 0)
            }
        }
        let device = try CaptureDevice.named("camera:\(camera.path)")
        let formats = device.formats.filter { $0.size == CameraSession.small && $0.frameRate == FrameRate(30) }
        #expect(formats.count >= 20)
        for format in formats {
            try await expectBars(camera, format, colors)
        }
    }

    @Test("So are they of a camera of the multi-planar interface", arguments: [Colors.all[0], Colors.all[3]])
    func multiPlanar(colors: Colors) async throws {
        try VividCamera.reload("n_devs=1", "node_types=0x1", "multiplanar=2")
        defer { try? VividCamera.reload() }
        try await bars(colors: colors)
    }

    private func expectBars(_ camera: VividCamera, _ format: VideoFormat, _ colors: Colors) async throws {
        let output = VideoDataOutput(pixelFormat: .bgra)
        let session = try await CameraSession(camera.path, format: format, outputs: [output])
        var frames = output.frames.makeAsyncIterator()
        try await session.session.start()
        let frame = try #require(try await frames.next())
        await session.session.stop()
        let picture = frame.buffer
        let (width, row) = (picture.width, picture.height / 2)
        for (index, bar) in VividCamera.bars.enumerated() {
            let x = (2 * index + 1) * width / (2 * VividCamera.bars.count)
            let pixel = picture.withBytes(ofPlane: 0) { bytes in
                (0..<4).map {
                    bytes.unsafeLoad(fromByteOffset: row * picture.bytesPerRow(ofPlane: 0) + 4 * x + $0, as: UInt8.self)
                }
            }
            let expected = expectation(bar, format.pixelFormat, colors)
            let isClose = zip(pixel, expected).allSatisfy { abs(Int($0) - $1) <= 3 }
            let hasAlpha = [.bgra, .rgba, .argb, .abgr].contains(format.pixelFormat)
            #expect(hasAlpha || pixel[3] == 255, "\(format.pixelFormat) bar \(index)")
            #expect(isClose, "\(format.pixelFormat) bar \(index): \(pixel) instead of \(expected)")
        }
    }

    /// The colour of a bar as blue, green and red.
    ///
    /// vivid's own codes are two steps off in two cases (vivid-tpg): full-range YCbCr keeps off 0 and 255,
    /// which sync codes of cables need, and gray is the luma of BT.709, whatever the matrix.
    private func expectation(
        _ bar: (red: Int, green: Int, blue: Int), _ format: PixelFormat, _ colors: Colors
    ) -> [Int] {
        let (red, green, blue) = (Double(bar.red) * 255, Double(bar.green) * 255, Double(bar.blue) * 255)
        let matrix = format == .gray8 ? ColorSpace.Matrix.bt709 : colors.matrix
        let luma = matrix.kr * red + (1 - matrix.kr - matrix.kb) * green + matrix.kb * blue
        let bytes = { (channels: [Double]) in channels.map { Int(min(255, max(0, $0)).rounded()) } }
        if format == .gray8 { return bytes([luma, luma, luma]) }
        guard format.isYUV, colors.range == .full else { return bytes([blue, green, red]) }
        let code = { (value: Double) in min(254, max(1, value)) }
        let y = code(luma)
        let (cb, cr) = (2 * (1 - matrix.kb), 2 * (1 - matrix.kr))
        let (u, v) = (code((blue - luma) / cb + 128) - 128, code((red - luma) / cr + 128) - 128)
        let chroma = matrix.kb * cb * u + matrix.kr * cr * v
        return bytes([y + cb * u, y - chroma / (1 - matrix.kr - matrix.kb), y + cr * v])
    }
}
