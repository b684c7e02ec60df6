// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// FFmpeg's libraries, which are loaded on first use: a program that only reads cameras in raw formats or Motion JPEG
/// neither needs nor loads them.
package enum FFmpegLibrary {
    /// Loads the libraries, unless they are loaded already. Whatever reads, writes or converts with FFmpeg begins with
    /// this: without it, a missing library would end the process at the first function.
    ///
    /// - Throws: ``ObscuraError/Code/libraryMissing``.
    package static func load() throws(ObscuraError) {
        if let failure { throw failure }
    }

    private static let failure: ObscuraError? = {
        var reason: UnsafePointer<CChar>?
        _ = obscura_ffmpeg(&reason)
        return reason.map { reason in
            ObscuraError(
                .movies, .libraryMissing, subject: "movies",
                reason: "FFmpeg's libraries cannot be loaded (\(String(cString: reason)))",
                remedy: .installPackages([
                    "libavformat\(LIBAVFORMAT_VERSION_MAJOR)", "libswscale\(LIBSWSCALE_VERSION_MAJOR)",
                ]))
        }
    }()
}

/// FFmpeg's functions, by their own names.
let libav: obscura_ffmpeg_functions = {
    var reason: UnsafePointer<CChar>?
    return obscura_ffmpeg(&reason).pointee
}()

extension obscura_ffmpeg_functions {
    /// Sets an entry of a dictionary, such as an option. Without memory for it, the dictionary stays as it is.
    func setEntry(_ key: String, _ value: String, in dictionary: inout OpaquePointer?) {
        _ = av_dict_set(&dictionary, key, value, 0)
    }
}
