// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraStudio

/// The form of a classified ad: asks for up to five photos of one shape, and writes the ad as a web page.
///
///     swift run AdForm "City bike, 28 inches" 180 ad
@main
struct AdForm {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 3 else {
            print("usage: AdForm TITLE PRICE FOLDER")
            exit(64)
        }
        let (title, price, folder) = (words[0], words[1], words[2])

        var configuration = MediaPickerConfiguration()
        configuration.kinds = [.photo]
        configuration.maximumCount = 5
        configuration.cropRatios = [try AspectRatio(width: 4, height: 3)]
        configuration.title = "Photos of your ad"
        configuration.prompt = "Up to five; the first one is shown in the list of ads."
        configuration.doneLabel = "Use these photos"
        configuration.accentColor = "#1b6e3c"
        configuration.outputFolder = folder

        // Opens the page in the browser; a program with a web view of its own passes a function to pick(open:).
        let photos = try await MediaPicker(configuration).pick()
        guard !photos.isEmpty else {
            print("Canceled: the ad was not saved.")
            exit(1)
        }
        let names = photos.map { URL(filePath: $0.path).lastPathComponent }
        try page(title, price, names).write(toFile: "\(folder)/ad.html", atomically: true, encoding: .utf8)
        print("\(folder)/ad.html: \(photos.count) photos")
    }

    private static func page(_ title: String, _ price: String, _ photos: [String]) -> String {
        let pictures = photos.map { #"<img src="\#(escaped($0))" width="400" height="300" alt="">"# }
        return """
            <!doctype html>
            <meta charset="utf-8">
            <title>\(escaped(title))</title>
            <h1>\(escaped(title))</h1>
            <p>\(escaped(price)) €</p>
            \(pictures.joined(separator: "\n"))

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
