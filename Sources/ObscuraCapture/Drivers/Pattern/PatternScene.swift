// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The scene of the test-pattern camera: color bars, a bouncing square, a sweeping line, and the sequence number and
/// time of the frame in digits. A row of black and white blocks encodes the sequence number, so that programs can read
/// the number. At the beginning of each second the upper right corner flashes while the test-tone microphone beeps.
///
/// The row is the lowest eighth of the frame: ``blockCount`` blocks of equal width. The first block is white and the
/// second is black. The next 32 blocks are the low 32 bits of the sequence number as a Gray code, highest bit first.
/// The last block is the parity of these 32 blocks. A white block is 1. The row can be read after scaling and
/// compression if a block is at least about four pixels wide.
///
/// At a low bit rate, a decoded frame can be a mixture of a frame and the previous frame. The rows of two successive
/// frames differ only in one block and the parity. The mixed row is therefore read as one of the two sequence numbers,
/// or cannot be read.
public struct PatternScene: Sendable {
    /// The number of blocks in the row: white, black, 32 bits, parity.
    public static let blockCount = 35

    private let size: PixelSize
    private let background: PixelBuffer

    /// Creates a scene.
    ///
    /// - Throws: ``ObscuraError`` if the size is not valid for a frame.
    public init(size: PixelSize) throws(ObscuraError) {
        self.size = size
        background = try Self.drawBackground(size)
    }

    /// Draws a frame in I420, with BT.601 colors of limited range.
    ///
    /// - Parameters:
    ///   - sequence: the sequence number that the frame shows.
    ///   - time: the time that the frame shows.
    ///   - isFlashing: whether the upper right corner is white.
    ///   - pool: the pool that supplies the buffer of the frame; nil allocates new memory.
    /// - Throws: ``ObscuraError`` if all buffers of the pool are in use, or if no memory is left.
    public func draw(
        sequence: UInt64, time: MediaTime, isFlashing: Bool = false, in pool: PixelBufferPool? = nil
    ) throws -> PixelBuffer {
        var picture = try background.copy(in: pool)
        let side = max(1, min(size.width, size.height) / 6)
        let field = sceneHeight
        let step = Int(sequence % 1_000_000) * max(1, size.width / 160)
        let square = PixelRect(
            x: bounce(step, within: size.width - side), y: bounce(step * 2 / 3, within: field - side),
            width: side, height: side)
        let digit = max(1, size.height / 90)
        try picture.fill(PixelRect(x: step % size.width, y: 0, width: max(1, digit / 2), height: field), .white)
        try picture.fill(square, .orange)
        let lines = [PatternText.number(sequence), PatternText.clock(time)]
        for (index, line) in lines.enumerated() {
            try picture.write(line, x: 4 * digit, y: (4 + 10 * index) * digit, scale: digit)
        }
        try picture.fill(flash, isFlashing ? .white : .black)
        try drawBlocks(sequence, &picture)
        return picture
    }

    /// Returns whether the test-pattern camera shows the flash in a frame with this time. The flash begins with the
    /// frame nearest to the beginning of each second, and lasts for a tenth of a second.
    ///
    /// - Parameters:
    ///   - time: the time of the frame.
    ///   - duration: the duration of the frame.
    public static func isFlashing(at time: MediaTime, frameDuration duration: MediaTime) -> Bool {
        // Twice the middle of the frame, within two seconds.
        let middle = time * 2 + duration
        let place = MediaTime(value: middle.value % (2 * Int64(middle.timescale)), timescale: middle.timescale)
        return place.duration < ToneSignal.beep * 2
    }

    /// Returns whether a frame of the test-pattern camera shows the flash; nil for a frame in a compressed format.
    public static func readFlash(of picture: PixelBuffer) -> Bool? {
        guard let luma = LumaSampler(picture) else { return nil }
        let flash = flash(of: PixelSize(width: picture.width, height: picture.height))
        return luma.value(x: flash.x + flash.width / 2, y: flash.y + flash.height / 2) > 127
    }

    private var flash: PixelRect { Self.flash(of: size) }

    private static func flash(of size: PixelSize) -> PixelRect {
        let side = max(2, min(size.width, size.height) / 8)
        return PixelRect(x: size.width - side, y: 0, width: side, height: side)
    }

    /// Returns the sequence number that a frame of the test-pattern camera shows; nil if the number cannot be read. The
    /// frame may have any uncompressed format and any size.
    public static func readSequence(of picture: PixelBuffer) -> UInt64? {
        guard let luma = LumaSampler(picture) else { return nil }
        let row = picture.height - max(1, picture.height / 8) / 2 - 1
        var bits: [Bool] = []
        for block in 0..<blockCount {
            // The middle of the block as drawn: its edges were rounded down.
            let x = (block * picture.width / blockCount + (block + 1) * picture.width / blockCount) / 2
            bits.append(luma.value(x: x, y: row) > 127)
        }
        guard bits[0], !bits[1] else { return nil }
        let code = bits[2..<34]
        guard (code.filter { $0 }.count % 2 == 1) == bits[34] else { return nil }
        // Bit n of a number is the parity of the bits of its Gray code from n upwards.
        return code.reduce(0) { $0 << 1 | ($0 & 1 ^ ($1 ? 1 : 0)) }
    }

    /// The height of the part above the row of blocks.
    private var sceneHeight: Int { max(1, size.height - Self.blockHeight(size)) }

    private static func blockHeight(_ size: PixelSize) -> Int {
        size.width >= blockCount ? max(1, size.height / 8) : 0
    }

    private func bounce(_ step: Int, within length: Int) -> Int {
        guard length > 0 else { return 0 }
        let phase = step % (2 * length)
        return phase < length ? phase : 2 * length - phase
    }

    private func drawBlocks(_ sequence: UInt64, _ picture: inout PixelBuffer) throws {
        let height = Self.blockHeight(size)
        guard height > 0 else { return }
        let number = UInt32(truncatingIfNeeded: sequence)
        let code = number ^ number >> 1
        let bits = (0..<32).map { code >> (31 - $0) & 1 == 1 }
        let row = [true, false] + bits + [code.nonzeroBitCount % 2 == 1]
        for (index, bit) in row.enumerated() {
            let left = index * size.width / Self.blockCount
            let right = (index + 1) * size.width / Self.blockCount
            let block = PixelRect(x: left, y: size.height - height, width: right - left, height: height)
            try picture.fill(block, bit ? .white : .black)
        }
    }

    private static func drawBackground(_ size: PixelSize) throws(ObscuraError) -> PixelBuffer {
        var picture = try PixelBuffer(format: .i420, width: size.width, height: size.height, colorSpace: .bt601)
        let bars = PatternColor.bars
        for (index, color) in bars.enumerated() {
            let left = index * size.width / bars.count
            let right = (index + 1) * size.width / bars.count
            let bar = PixelRect(x: left, y: 0, width: right - left, height: size.height)
            do { try picture.fill(bar, color) } catch let error as ObscuraError { throw error } catch {}
        }
        return picture
    }
}
