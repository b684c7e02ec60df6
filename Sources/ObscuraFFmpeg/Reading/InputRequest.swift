// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraMedia

/// What an ``InputContext`` opens, and what it may touch meanwhile.
package struct InputRequest {
    package enum Place {
        case file(path: String)
        case network(Connection)
    }

    package struct Connection {
        package var url: String
        /// What FFmpeg may open while it reads the address, playlists and redirections included: names with commas.
        package var protocols: String
        /// The demuxers that the address may give, by FFmpeg's names.
        package var demuxers: Set<String>
        /// FFmpeg's options for each connection, such as whose certificates are trusted.
        package var options: [String: String]
        /// FFmpeg's options for the demuxer.
        package var demuxerOptions: [String: String]
        /// Whether it is a stream without beginning and end.
        package var isAlwaysLive: Bool

        package init(
            url: String, protocols: String, demuxers: Set<String>, options: [String: String] = [:],
            demuxerOptions: [String: String] = [:], isAlwaysLive: Bool
        ) {
            self.url = url
            self.protocols = protocols
            self.demuxers = demuxers
            self.options = options
            self.demuxerOptions = demuxerOptions
            self.isAlwaysLive = isAlwaysLive
        }
    }

    package var place: Place
    /// The place for people, without a password.
    package var subject: String
    /// How long an address may give nothing.
    package var readTimeout: Duration = .seconds(10)
    /// The largest picture that is accepted, in pixels.
    package var maximumSize = PixelSize(width: 16384, height: 16384)
    /// The kinds of containers that a file may be, by FFmpeg's names.
    package var containers = Demuxers.file
    /// How many bytes of a file are read; nil for all.
    package var end: Int64?
    /// What the connections use and the context must keep, such as the certificate that they accept.
    package var owner: AnyObject?
    /// Rejects a file of the kind `mov` before FFmpeg builds its index: gets the size and a way to read bytes.
    package var checkIndex: ((_ size: Int64, _ bytes: @escaping ByteReader) throws(ObscuraError) -> Void)?

    /// Up to `count` bytes at `offset`.
    package typealias ByteReader = (_ offset: Int64, _ count: Int) -> [UInt8]

    package init(_ place: Place, subject: String) {
        self.place = place
        self.subject = subject
    }

    var isNetwork: Bool {
        if case .network = place { true } else { false }
    }
}
