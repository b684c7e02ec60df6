// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Obscura

/// Records the built-in camera live while views and a data output read it too, and prints the statistics as JSON; or
/// reads the numbers that the frames of such a movie show:
///
///     RecordBusy record MOVIE SECONDS VIEWS
///     RecordBusy read MOVIE
@main
struct RecordBusy {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let encoder = JSONEncoder()
        if arguments.count == 5, arguments[1] == "record", let seconds = Double(arguments[3]),
            let views = Int(arguments[4]), views >= 0
        {
            let account = try await BusyRecording(path: arguments[2], seconds: seconds, viewCount: views).run()
            print(String(decoding: try encoder.encode(account), as: UTF8.self))
        } else if arguments.count == 3, arguments[1] == "read" {
            let numbers = try await MovieNumbers.read(arguments[2])
            print(String(decoding: try encoder.encode(numbers), as: UTF8.self))
        } else {
            exit(64)
        }
    }
}
