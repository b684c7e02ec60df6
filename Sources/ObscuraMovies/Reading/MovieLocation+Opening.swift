// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraBase
internal import ObscuraFFmpeg
internal import ObscuraMedia

extension MovieLocation {
    /// Opens the container. Blocks, on a network for at most ``MovieReadingOptions/connectTimeout``.
    ///
    /// - Parameters:
    ///   - end: number of bytes of a file to read; nil for all.
    ///   - inspectsFrames: whether the first frames are decoded for all properties of the streams, not only if the container
    ///     declares too little for a copy.
    ///   - indexCap: the largest number of index entries of a file, whatever its size; nil for no limit.
    func open(
        _ options: MovieReadingOptions, control: ReadControl, log: FFmpegLog, end: Int64? = nil,
        inspectsFrames: Bool = true, indexCap: Int64? = SampleTables.usualCap
    ) throws(ObscuraError) -> InputContext {
        try FFmpegLibrary.load()
        if isNetwork { control.setDeadline(.now + options.connectTimeout) }
        defer { control.setDeadline(nil) }
        let (place, pinned) = try place(options, control)
        var request = InputRequest(place, subject: description)
        request.readTimeout = options.readTimeout
        request.maximumSize = options.maximumSize
        if let containers = options.containers { request.containers = containers }
        request.end = end
        request.inspectsFrames = inspectsFrames
        // FFmpeg reads the certificate again for each connection.
        request.owner = pinned
        let subject = description
        if let indexCap {
            request.checkIndex = { (size, bytes) throws(ObscuraError) in
                try SampleTables(size: size, cap: indexCap, bytes: bytes).check(subject)
            }
        }
        do throws(ObscuraError) {
            return try InputContext(request, control: control, log: log)
        } catch {
            // An RTSP server that offers no TCP answers with status 461.
            guard error.errno == EPROTONOSUPPORT, case .network(var connection) = place, choosesTransport else {
                throw error
            }
            connection.demuxerOptions = ["rtsp_transport": "udp+udp_multicast"]
            connection.isByTCP = false
            request.place = .network(connection)
            return try InputContext(request, control: control, log: log)
        }
    }

    private func place(
        _ options: MovieReadingOptions, _ control: ReadControl
    ) throws(ObscuraError) -> (InputRequest.Place, PinnedCertificate?) {
        guard case .network(let url, let scheme) = self else { return (.file(path: description), nil) }
        let trust = options.trust
        try trust.check(scheme, hasPassword: AddressMask.masked(address: url) != url, description)
        let pinned = try trust.pinned(url, subject: description, control: control)
        let (serverURL, transport) = scheme.isRTSP ? RTSPTransport.split(url) : (url, nil)
        let connection = InputRequest.Connection(
            url: serverURL, protocols: scheme.protocolWhitelist,
            demuxers: Demuxers.network(checksCertificates: scheme.isSecure && trust != .unverified),
            options: pinned?.options ?? trust.options,
            demuxerOptions: !scheme.isRTSP
                ? [:] : ["rtsp_transport": transport ?? "tcp"],
            isAlwaysLive: scheme.isAlwaysLive, isByTCP: isByTCP)
        return (.network(connection), pinned)
    }
}
