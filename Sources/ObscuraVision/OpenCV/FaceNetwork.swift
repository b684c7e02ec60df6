// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraImaging
internal import ObscuraMedia

/// OpenCV's face network YuNet; owns one `OCVNetwork`.
///
/// Not `Sendable`: the C object serves one thread at a time.
final class FaceNetwork {
    private let functions: OCVFunctions
    private let network: OpaquePointer

    /// Maximum number of results.
    private static let limit = 1024

    init(model path: String) throws(ObscuraError) {
        functions = try OpenCV.functions()
        var network: OpaquePointer?
        let (status, message) = OpenCVMessage.with { [functions] in functions.openNetwork(path, &network, $0) }
        if status == .unsupported { throw .noYuNet(version: try OpenCV.version()) }
        guard status == .done, let network else { throw .notAModel(path, message) }
        self.network = network
    }

    deinit {
        functions.closeNetwork(network)
    }

    /// Returns the faces of a BGR24 picture.
    func find(in picture: PixelBuffer) throws(ObscuraError) -> [Face] {
        var found = [OCVNetworkFace](repeating: OCVNetworkFace(), count: Self.limit)
        var count: Int32 = 0
        try picture.withPlanes { planes throws(ObscuraError) in
            try OpenCVMessage.check {
                functions.findWithNetwork(network, picture.picture(planes[0]), &found, Int32(found.count), &count, $0)
            }
        }
        return found.prefix(Int(count)).compactMap { Face($0, in: picture.size) }
    }
}

extension Face {
    /// Returns nil for invalid numbers.
    fileprivate init?(_ found: OCVNetworkFace, in size: PixelSize) {
        let numbers =
            [found.x, found.y, found.width, found.height, found.eyes.0, found.eyes.1, found.eyes.2]
            + [found.eyes.3, found.mouth.0, found.mouth.1, found.mouth.2, found.mouth.3, found.score]
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), found.width > 0, found.height > 0 else {
            return nil
        }
        let bounds = PixelRect(
            x: Int(found.x.rounded()), y: Int(found.y.rounded()), width: Int(found.width.rounded()),
            height: Int(found.height.rounded()))
        // The network reports points. The width of an eye is about a fifth of that of the face.
        func rect(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> PixelRect {
            PixelRect(
                x: Int((x - width / 2).rounded()), y: Int((y - height / 2).rounded()),
                width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
        }
        let (eye, mouth) = (found.width / 5, found.mouth)
        self.init(
            bounds: bounds, leftEye: rect(found.eyes.0, found.eyes.1, eye, eye),
            rightEye: rect(found.eyes.2, found.eyes.3, eye, eye),
            mouth: rect(
                (mouth.0 + mouth.2) / 2, (mouth.1 + mouth.3) / 2, max(eye, abs(mouth.2 - mouth.0)), eye),
            confidence: Double(min(max(found.score, 0), 1)))
    }
}
