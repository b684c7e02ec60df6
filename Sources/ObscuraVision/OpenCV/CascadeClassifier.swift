// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraMedia

/// OpenCV's search with a cascade; owns one `OCVCascade`.
///
/// Not `Sendable`: the C object serves one thread at a time.
final class CascadeClassifier {
    private let functions: OCVFunctions
    private let cascade: OpaquePointer

    /// Maximum number of results.
    private static let limit = 4096

    init(path: String) throws(ObscuraError) {
        functions = try OpenCV.functions()
        let (cascade, message) = OpenCVMessage.with { [functions] in functions.openCascade(path, $0) }
        guard let cascade else { throw .notACascade(path, message) }
        self.cascade = cascade
    }

    deinit {
        functions.closeCascade(cascade)
    }

    func find(in picture: GrayPicture, _ settings: CascadeSettings) throws(ObscuraError) -> [FoundRect] {
        var found = [OCVFound](repeating: OCVFound(), count: Self.limit)
        var count: Int32 = 0
        let (smallest, largest) = (settings.smallest, settings.largest ?? PixelSize(width: 0, height: 0))
        try picture.withPicture { picture throws(ObscuraError) in
            try OpenCVMessage.check { message in
                functions.findWithCascade(
                    cascade, picture, settings.scaleStep, Int32(clamping: settings.neighbours),
                    Int32(clamping: smallest.width), Int32(clamping: smallest.height), Int32(clamping: largest.width),
                    Int32(clamping: largest.height), &found, Int32(found.count), &count, message)
            }
        }
        return found.prefix(Int(count)).map(FoundRect.init)
    }
}
