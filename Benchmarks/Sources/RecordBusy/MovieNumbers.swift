// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraDrivers

/// The numbers that the pictures of a movie of the built-in camera show.
struct MovieNumbers: Codable {
    /// How many pictures there are.
    private(set) var count = 0
    private(set) var first: UInt64?
    private(set) var last: UInt64?
    /// Numbers between the first and the last that no picture has.
    private(set) var missing: UInt64 = 0
    /// Pictures whose number is not above that of the one before.
    private(set) var misplaced = 0
    /// Pictures that show no number.
    private(set) var unreadable = 0
    /// The longest time from one picture to the next, in milliseconds.
    private(set) var longestStep = 0.0

    /// Decodes the whole movie.
    nonisolated static func read(_ path: String) async throws -> MovieNumbers {
        var reading = MovieReadingOptions()
        reading.pace = .lossless
        let movie = try CaptureDevice.named(path, reading: reading)
        let output = VideoDataOutput(latePolicy: .lossless)
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: movie))
            try $0.addOutput(output)
        }
        try await session.start()
        var numbers = MovieNumbers()
        var time: MediaTime?
        for try await frame in output.frames {
            numbers.note(PatternScene.readSequence(of: frame.buffer))
            if let time {
                numbers.longestStep = max(numbers.longestStep, (frame.presentationTime - time).seconds * 1000)
            }
            time = frame.presentationTime
        }
        return numbers
    }

    private mutating func note(_ number: UInt64?) {
        count += 1
        guard let number else { return unreadable += 1 }
        if let last {
            guard number > last else { return misplaced += 1 }
            missing += number - last - 1
        }
        first = first ?? number
        last = number
    }
}
