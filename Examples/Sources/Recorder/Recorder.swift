// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura

/// Records ten seconds of a camera and a microphone.
///
///     Recorder camera microphone movie.mp4
@main
struct Recorder {
    static func main() async throws {
        let given = CommandLine.arguments.dropFirst()
        let words = given.count == 3 ? Array(given) : ["pattern", "tone", "movie.mp4"]
        let (camera, microphone) = (try CaptureDevice.named(words[0]), try CaptureDevice.named(words[1]))
        let movie = MovieFileOutput()
        movie.maxRecordedDuration = MediaTime(seconds: 10)
        let session = CaptureSession()
        try await session.configure {
            try $0.addInput(CaptureDeviceInput(device: camera))
            try $0.addInput(CaptureDeviceInput(device: microphone))
            try $0.addOutput(movie)
        }
        let events = movie.events
        try await movie.startRecording(to: words[2])
        try await session.start()
        for await case .finished(let result) in events {
            print(result.path, result.duration, result.reason)
            break
        }
        await session.stop()
    }
}
