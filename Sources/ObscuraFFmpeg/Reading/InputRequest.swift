// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// The input that an ``InputContext`` opens, and the limits of its access.
package struct InputRequest {
    package enum Place {
        case file(path: String)
        case network(Connection)
    }

    package struct Connection {
        package var url: String
        /// The protocols that FFmpeg may open while it reads the address, including playlists and redirections,
        /// separated by commas.
        package var protocols: String
        /// The demuxers allowed for the address, by FFmpeg's names.
        package var demuxers: Set<String>
        /// FFmpeg's options for each connection, such as the trusted certificates.
        package var options: [String: String]
        /// FFmpeg's options for the demuxer.
        package var demuxerOptions: [String: String]
        /// Whether it is a stream without start and end.
        package var isAlwaysLive: Bool
        /// Whether TCP keeps the packets that have not been read yet.
        package var isByTCP: Bool

        package init(
            url: String, protocols: String, demuxers: Set<String>, options: [String: String] = [:],
            demuxerOptions: [String: String] = [:], isAlwaysLive: Bool,
            isByTCP: Bool = false
        ) {
            self.url = url
            self.protocols = protocols
            self.demuxers = demuxers
            self.options = options
            self.demuxerOptions = demuxerOptions
            self.isAlwaysLive = isAlwaysLive
            self.isByTCP = isByTCP
        }
    }

    package var place: Place
    /// The file or address for display, without a password.
    package var subject: String
    /// The maximum time without data from an address.
    package var readTimeout: Duration = .seconds(10)
    /// The maximum size of a frame, in pixels.
    package var maximumSize = PixelSize(width: 16384, height: 16384)
    /// The containers allowed for a file, by FFmpeg's names.
    package var containers = Demuxers.file
    /// The number of bytes of a file to read; nil for all.
    package var end: Int64?
    /// Whether the first frames are decoded for all properties of the streams. Otherwise that is done only if the container
    /// does not declare what a copy of the streams needs.
    package var inspectsFrames = true
    /// An object that the context retains for its connections, such as the certificate that they accept.
    package var owner: AnyObject?
    /// A function that rejects a file of the kind `mov` before FFmpeg builds its index; its parameters are the size and
    /// a function that reads bytes.
    package var checkIndex: ((_ size: Int64, _ bytes: @escaping ByteReader) throws(ObscuraError) -> Void)?

    /// A function that reads up to `count` bytes at `offset`.
    package typealias ByteReader = (_ offset: Int64, _ count: Int) -> [UInt8]

    package init(_ place: Place, subject: String) {
        self.place = place
        self.subject = subject
    }

    var isNetwork: Bool {
        if case .network = place { true } else { false }
    }
}
