// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraDrivers

/// The numbers that the frames of a movie of the built-in camera show.
struct MovieNumbers: Codable {
    /// The number of frames.
    private(set) var count = 0
    private(set) var first: UInt64?
    private(set) var last: UInt64?
    /// The count of numbers between the first and the last that no frame shows.
    private(set) var missing: UInt64 = 0
    /// The frames whose number is not greater than that of the previous frame.
    private(set) var misplaced = 0
    /// The frames without a readable number.
    private(set) var unreadable = 0
    /// The longest interval between two frames, in milliseconds.
    private(set) var longestStep = 0.0

    /// Decodes the whole movie, and reads the numbers.
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
