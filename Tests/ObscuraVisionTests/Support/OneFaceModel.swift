// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// A network in ONNX with the outputs of YuNet, as OpenCV 4.5.4 to 4.7 reads them, that sees the same face in every
/// picture of 64x64: what it says does not depend on the picture. It proves what is made of a network's numbers; the
/// real one is not for us to hand on.
enum OneFaceModel {
    /// Where it sees the face, and the middle of eyes and mouth.
    static let bounds = (x: 24, y: 16, side: 24)
    static let leftEye = (x: 30, y: 22), rightEye = (x: 42, y: 22), mouth = (x: 36, y: 34)

    /// The places at which the network looks: 8x8 of three sizes, 4x4 of two, 2x2 of two, and three.
    private static let placeCount = 8 * 8 * 3 + 4 * 4 * 2 + 2 * 2 * 2 + 3

    static var onnx: Data {
        // Row 3, column 4, the largest of its three sizes: its middle is at (36, 28), its side 24.
        let place = (3 * 8 + 4) * 3 + 2
        var boxes = [Float](repeating: 0, count: placeCount * 14)
        // The points, from the middle on in tenths of the side: eyes, nose, corners of the mouth.
        boxes.replaceSubrange(
            place * 14 + 4..<place * 14 + 14, with: [-2.5, -2.5, 2.5, -2.5, 0, 0, -1.25, 2.5, 1.25, 2.5])
        var scores = [Float](repeating: 0, count: placeCount * 2)
        scores[place * 2 + 1] = 1
        var overlaps = [Float](repeating: 0, count: placeCount)
        overlaps[place] = 1
        var graph = Message()
        graph.add(1, node("GlobalAveragePool", ["input"], "mean"))
        for (name, numbers) in [("loc", boxes), ("conf", scores), ("iou", overlaps)] {
            let length = numbers.count / placeCount
            graph.add(1, node("Conv", ["mean", "\(name)Weights", "\(name)Bias"], "\(name)Flat"))
            graph.add(1, node("Reshape", ["\(name)Flat", "\(name)Shape"], name))
            let zeros = [Float](repeating: 0, count: 3 * numbers.count)
            let kernel = [numbers.count, 3, 1, 1]
            graph.add(5, tensor("\(name)Weights", kernel, type: 1, zeros.withUnsafeBytes { Data($0) }))
            graph.add(5, tensor("\(name)Bias", [numbers.count], type: 1, numbers.withUnsafeBytes { Data($0) }))
            let shape = [Int64(placeCount), Int64(length)]
            graph.add(5, tensor("\(name)Shape", [2], type: 7, shape.withUnsafeBytes { Data($0) }))
        }
        graph.add(2, "one face")
        graph.add(11, value("input", [1, 3, 64, 64]))
        for (name, length) in [("loc", 14), ("conf", 2), ("iou", 1)] {
            graph.add(12, value(name, [placeCount, length]))
        }
        var operators = Message()
        operators.add(2, number: 11)
        var model = Message()
        model.add(1, number: 7)
        model.add(7, graph)
        model.add(8, operators)
        return model.bytes
    }

    private static func node(_ kind: String, _ inputs: [String], _ output: String) -> Message {
        var node = Message()
        for input in inputs { node.add(1, input) }
        node.add(2, output)
        node.add(3, "make \(output)")
        node.add(4, kind)
        if kind == "Conv" {
            // A list of whole numbers, which is kind 7 of attributes.
            var kernel = Message()
            kernel.add(1, "kernel_shape")
            for _ in 0..<2 { kernel.add(8, number: 1) }
            kernel.add(20, number: 7)
            node.add(5, kernel)
        }
        return node
    }

    private static func tensor(_ name: String, _ sides: [Int], type: Int, _ bytes: Data) -> Message {
        var tensor = Message()
        for side in sides { tensor.add(1, number: side) }
        tensor.add(2, number: type)
        tensor.add(8, name)
        tensor.add(9, bytes)
        return tensor
    }

    private static func value(_ name: String, _ sides: [Int]) -> Message {
        var shape = Message()
        for side in sides {
            var dimension = Message()
            dimension.add(1, number: side)
            shape.add(1, dimension)
        }
        var numbers = Message()
        numbers.add(1, number: 1)
        numbers.add(2, shape)
        var type = Message()
        type.add(1, numbers)
        var value = Message()
        value.add(1, name)
        value.add(2, type)
        return value
    }
}

/// A message of Protocol Buffers, in which ONNX is written.
private struct Message {
    private(set) var bytes = Data()

    mutating func add(_ field: Int, number: Int) {
        append(field << 3)
        append(number)
    }

    mutating func add(_ field: Int, _ data: Data) {
        append(field << 3 | 2)
        append(data.count)
        bytes += data
    }

    mutating func add(_ field: Int, _ text: String) { add(field, Data(text.utf8)) }

    mutating func add(_ field: Int, _ message: Message) { add(field, message.bytes) }

    private mutating func append(_ number: Int) {
        var rest = UInt(number)
        while rest > 127 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
