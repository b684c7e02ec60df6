// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Applies an effect to raw frames from a file in memory, and prints the seconds per frame as JSON:
/// `EffectRates EFFECT FORMAT WIDTH HEIGHT FRAMES PICTURES`. EFFECT `copy:1` or `copy:2` is memcpy of a frame on one
/// or two threads.
@main
struct EffectRates {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let format = PixelFormat(rawValue: arguments[2]), let width = Int(arguments[3]),
            let height = Int(arguments[4]), let frames = Int(arguments[5]), frames > 0
        else { exit(64) }
        let pictures = try load(arguments[6], format, width, height)
        let pool = PixelBufferPool(capacity: 4)
        let once: (Int) throws -> Void
        if arguments[1].hasPrefix("copy") {
            let copier = try Copier(pictures, threads: arguments[1] == "copy:1" ? 1 : 2)
            once = { copier.copy(pictures[$0 % pictures.count]) }
        } else {
            var request = ImageRequest()
            request.effects = [try effect(arguments[1])]
            once = { index in
                let time = MediaTime(value: Int64(index), timescale: 30)
                _ = try ImageTransformer.transform(
                    pictures[index % pictures.count], request, in: pool, context: EffectContext(presentationTime: time))
            }
        }
        // The first frames are not counted: they include one-time work.
        for index in 0..<8 { try once(index) }
        let clock = ContinuousClock()
        let took = try clock.measure { for index in 8..<(frames + 8) { try once(index) } }
        let seconds = took / .seconds(1)
        print(#"{"secondsPerFrame": \#(seconds / Double(frames)), "bytesPerFrame": \#(pictures[0].packedByteCount)}"#)
    }
}

/// The effect with this name; some with parameters that make them costly.
private func effect(_ name: String) throws -> VideoEffect {
    switch name {
    case "pixels": return .pixels("pixels") { pixel, _, _ in pixel.green = 0 }
    case "rows":
        return .rows("rows") { row, _, _ in
            for place in stride(from: 1, to: row.count, by: 4) { row[place] = 0 }
        }
    case "rosy": return .rosy
    case "mono": return .mono
    case "sepia": return .sepia
    case "invert": return .invert
    case "blur:8": return .blur(radius: 8)
    case "ripple":
        // Enough rain that every part of the frame changes all the time.
        return .ripple(Ripple(rain: 15))
    case "lut":
        // A cube of 33 that darkens and mixes the channels.
        var text = "LUT_3D_SIZE 33\n"
        for blue in 0..<33 {
            for green in 0..<33 {
                for red in 0..<33 {
                    text += "\(Double(red + green) / 80) \(Double(green) / 40) \(Double(blue + red) / 90)\n"
                }
            }
        }
        return .lut(try CubeFile(Array(text.utf8)))
    case "pixellate:16": return .pixellate(side: 16)
    default: exit(64)
    }
}

/// The frames of a file of raw video.
private func load(_ path: String, _ format: PixelFormat, _ width: Int, _ height: Int) throws -> [PixelBuffer] {
    guard let file = fopen(path, "r") else { exit(66) }
    defer { fclose(file) }
    var pictures: [PixelBuffer] = []
    while true {
        var picture = try PixelBuffer(format: format, width: width, height: height)
        for (plane, layout) in picture.planes.enumerated() {
            let stride = picture.bytesPerRow(ofPlane: plane)
            let isWhole = try picture.withMutableBytes(ofPlane: plane) { span in
                span.withUnsafeMutableBytes { bytes in
                    guard let base = bytes.baseAddress else { return false }
                    return (0..<layout.rows).allSatisfy { fread(base + $0 * stride, layout.rowBytes, 1, file) == 1 }
                }
            }
            guard isWhole else { return pictures }
        }
        pictures.append(picture)
    }
}

/// memcpy of a frame with one plane, as `threads` parts in parallel.
private final class Copier {
    private let target: UnsafeMutableRawPointer
    private let byteCount: Int
    private let threads: Int

    init(_ pictures: [PixelBuffer], threads: Int) throws {
        guard let picture = pictures.first, picture.planeCount == 1 else { exit(64) }
        byteCount = picture.bytesPerRow(ofPlane: 0) * picture.height
        target = .allocate(byteCount: byteCount, alignment: 64)
        self.threads = threads
    }

    func copy(_ picture: PixelBuffer) {
        picture.withBytes(ofPlane: 0) { span in
            span.withUnsafeBytes { bytes in
                guard let source = bytes.baseAddress else { return }
                let part = byteCount / threads
                let (from, to) = (UInt(bitPattern: source), UInt(bitPattern: target))
                DispatchQueue.concurrentPerform(iterations: threads) { index in
                    let offset = UInt(index * part)
                    guard let a = UnsafeMutableRawPointer(bitPattern: to + offset),
                        let b = UnsafeRawPointer(bitPattern: from + offset)
                    else { return }
                    memcpy(a, b, part)
                }
            }
        }
    }
}
