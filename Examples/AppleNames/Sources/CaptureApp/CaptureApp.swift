// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation

/// A camera in a terminal: takes photos, records movies, switches the camera, and saves to the photo library.
///
///     swift run CaptureApp
@main
struct CaptureApp {
    static func main() async {
        do {
            let service = try await CaptureService()
            let events = Task {
                for await event in service.events { say(event) }
            }
            await service.start()
            say("p: photo, m: begin or end a movie, s: switch the camera, q: quit")
            for await command in commands() where await !run(command, service) { break }
            await service.stop()
            events.cancel()
        } catch {
            say(error.localizedDescription)
            exit(1)
        }
    }

    /// Returns false for the last command.
    private static func run(_ command: String, _ service: CaptureService) async -> Bool {
        do {
            switch command {
            case "p":
                try await PhotoLibrary.save(photo: try await service.takePhoto())
                say("The photo is in the library.")
            case "m":
                guard let movie = try await service.toggleMovie() else {
                    say("The movie has begun.")
                    break
                }
                try await PhotoLibrary.save(movie: movie)
                say("The movie is in the library.")
            case "s": say("The camera is \(try await service.switchCamera()).")
            case "q": return false
            default: say("p, m, s or q?")
            }
        } catch {
            say(error.localizedDescription)
        }
        return true
    }

    /// Writes a line at once, also to a pipe.
    private static func say(_ line: some CustomStringConvertible) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// The lines of the standard input. A thread of its own reads them, since reading blocks.
    private static func commands() -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingOldest(16)) { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line.trimmingCharacters(in: .whitespaces)) }
                continuation.finish()
            }
        }
    }
}
