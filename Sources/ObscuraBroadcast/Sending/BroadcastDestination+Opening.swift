// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia
internal import ObscuraMovies

extension BroadcastDestination {
    /// Returns a function that connects to the destination, for repeated use by one broadcast. It blocks until the
    /// control's deadline at most.
    func opening(_ settings: BroadcastSettings) -> DestinationSender.Opening {
        let progress = HLSTransport.Progress()
        return { streams, control in
            do throws(ObscuraError) {
                return .success(try transport(streams, settings, control, progress))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Checks whether a file can be written under this name; has no effect for a server. Creates nothing.
    ///
    /// - Throws: ``ObscuraError``: `fileExists`, `notWritable`.
    func checkFile() throws(ObscuraError) {
        switch target {
        case .hls(let path): try RecordingPath.checkIsNoFolder(path)
        case .movie(let path, _): try MovieFile.checkName(path, overwrites: overwrites)
        case .rtmp, .rtsp, .rtspServer, .srt, .udp: break
        }
    }

    private func transport(
        _ streams: EncodedStreams, _ settings: BroadcastSettings, _ control: ReadControl,
        _ progress: HLSTransport.Progress
    ) throws(ObscuraError) -> any BroadcastTransport {
        switch target {
        case .rtmp(let url, let isSecure):
            return try AddressTransport(
                target, .rtmp(url, isSecure: isSecure, settings: settings), streams, settings: settings,
                control: control)
        case .rtsp(let url, let transport):
            return try AddressTransport(
                target, .rtsp(url, transport: transport), streams, settings: settings, control: control)
        case .rtspServer(let address):
            return try RTSPServerTransport(address, streams, settings: settings)
        case .udp(let url):
            return try AddressTransport(target, .udp(url), streams, settings: settings, control: control)
        case .srt(let address):
            return try SRTTransport(address, streams, settings: settings, control: control)
        case .hls(let path):
            if makesFolder {
                try RecordingPath(path).makeFolder()
            } else if !HLSPath(path).isPrivate {
                // Another process may have created it after it was deleted.
                throw ObscuraError(
                    .broadcast, .notWritable, subject: path,
                    reason: "the folder of the HLS playlist is missing, or other users have access to the folder",
                    advice: "Start the HLS server again.")
            }
            return try HLSTransport(
                target, HLSPath(path), streams, settings: settings, control: control, progress: progress)
        case .movie(let path, let container):
            return try MovieTransport(path, container: container, overwrites: overwrites, streams)
        }
    }
}
