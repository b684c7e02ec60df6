// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ArgumentParser

/// The quality of JPEG files.
struct JPEGOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "JPEG quality, 1 to 100.",
            discussion: """
                Default: 85 for obscura extract, 90 for obscura photo and obscura edit, 95 for obscura library export. \
                Without this option, obscura photo stores the JPEG frame of an MJPEG camera unchanged if possible.
                """))
    private(set) var quality: Int?

    func validate() throws {
        if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be 1 to 100.") }
    }

    /// - Throws: `ValidationError` if a quality is given for a format other than JPEG.
    func check(isJPEG: Bool) throws {
        if quality != nil, !isJPEG { throw ValidationError("--quality applies only to JPEG files.") }
    }
}
