// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraMedia
import ObscuraVision
import TestSupport

/// What OpenCV's own Python API finds: the judge of these tests.
enum ClassicOpenCV {
    /// The system's, for which python3-opencv is.
    static let python = "/usr/bin/python3"

    private static let program = """
        import cv2, json, numpy, sys
        cv2.setNumThreads(1)
        cascade = cv2.CascadeClassifier(sys.argv[1])
        step, neighbours, smallest, largest = float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
        for path, width, height in zip(sys.argv[6::3], map(int, sys.argv[7::3]), map(int, sys.argv[8::3])):
            for picture in numpy.fromfile(path, numpy.uint8).reshape(-1, height, width):
                found = cascade.detectMultiScale(
                    picture, step, neighbours, 0, (smallest, smallest), (largest, largest))
                print(json.dumps([[int(number) for number in face] for face in found]))
        """

    /// Asked once: the import takes a second.
    static let isInstalled = (try? Tool.spawn([python, "-c", "import cv2"]))?.code == 0

    static let frontalFace = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"

    /// The faces of each picture, those at the top first.
    static func faces(
        in frames: [GrayFrame], cascade: String = frontalFace, settings: FaceDetector.Settings = .init()
    ) throws -> [[PixelRect]] {
        var arguments: [String] = []
        defer {
            for path in stride(from: 0, to: arguments.count, by: 3) {
                try? FileManager.default.removeItem(atPath: arguments[path])
            }
        }
        // Pictures of one size that follow one another lie in one file.
        var rest = frames[...]
        while let first = rest.first {
            let part = rest.prefix { $0.size == first.size }
            rest = rest.dropFirst(part.count)
            let path = TestMovies.folder.appending(path: "\(UUID().uuidString).gray")
            try Data(part.flatMap(\.bytes)).write(to: path)
            arguments += [path.path, "\(first.size.width)", "\(first.size.height)"]
        }
        let output = try Tool.run(
            python,
            [
                "-c", program, cascade, "\(settings.scaleStep)", "\(settings.neighbours)",
                "\(settings.smallestFace.width)", "\(settings.largestFace?.width ?? 0)",
            ] + arguments)
        return try String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
            try JSONDecoder().decode([[Int]].self, from: Data(line.utf8))
                .map { PixelRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }.inReadingOrder
        }
    }
}

extension [PixelRect] {
    var inReadingOrder: [PixelRect] { sorted { ($0.y, $0.x, $0.width) < ($1.y, $1.x, $1.width) } }
}
