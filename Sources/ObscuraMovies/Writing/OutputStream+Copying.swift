// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraFFmpeg
internal import ObscuraMedia

extension OutputStream {
    /// Creates a stream for the packets of a stream of another file; nil if the container does not support it, or its
    /// times are no fractions 1/n of a second.
    init?(copying stream: InputStream, to container: MovieContainer, _ source: String) throws(ObscuraError) {
        guard let parameters = CodecParameters(of: stream) else { throw .outOfMemory(.movies, source) }
        guard parameters.isCopied(to: container), let timescale = stream.timescale else { return nil }
        self.init(parameters: parameters, timescale: timescale, transform: stream.displayTransform)
        (language, title, isDefault) = (stream.language, stream.title, stream.isDefault)
    }
}

extension CodecParameters {
    /// Whether a movie in this container can have such a stream.
    fileprivate func isCopied(to container: MovieContainer) -> Bool {
        if isVideo || isAudio { return true }
        return container.isFragmented ? isTimedText || isLocation : isSubRip
    }
}
