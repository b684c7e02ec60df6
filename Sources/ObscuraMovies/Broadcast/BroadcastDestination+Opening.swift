// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension BroadcastDestination {
    /// Opens the way to it. Waits for the server, but not beyond the control's deadline.
    func open(
        _ streams: BroadcastStreams, settings: BroadcastSettings, control: ReadControl
    ) -> Result<any BroadcastTransport, BroadcastError> {
        do throws(BroadcastError) {
            return .success(try transport(streams, settings, control))
        } catch {
            return .failure(error)
        }
    }

    /// Whether a file can be written there, as far as its name tells. Makes nothing.
    func checkFile() throws(BroadcastError) {
        do throws(RecordingError) {
            switch target {
            case .hls(let path): try RecordingPath.checkIsNoFolder(path)
            case .movie(let path, _): try MovieFile.checkName(path, overwrites: overwrites)
            case .rtmp, .rtsp, .rtspServer, .srt, .udp: break
            }
        } catch {
            throw BroadcastError(error)
        }
    }

    private func transport(
        _ streams: BroadcastStreams, _ settings: BroadcastSettings, _ control: ReadControl
    ) throws(BroadcastError) -> any BroadcastTransport {
        switch target {
        case .rtmp(let url, let isSecure):
            return try AddressTransport(
                target, .rtmp(url, isSecure: isSecure, settings: settings), streams, settings: settings,
                control: control)
        case .rtsp(let url, let transport):
            return try AddressTransport(
                target, .rtsp(url, transport: transport), streams, settings: settings, control: control)
        case .rtspServer(let address):
            #if RTSPServer
            return try RTSPServerTransport(address, streams, settings: settings)
            #else
            throw RTSPServerAddress.isMissing(address.name)
            #endif
        case .udp(let url):
            return try AddressTransport(target, .udp(url), streams, settings: settings, control: control)
        case .srt(let address):
            return try SRTTransport(address, streams, settings: settings, control: control)
        case .hls(let path):
            do throws(RecordingError) {
                try RecordingPath(path).makeFolder()
            } catch {
                throw BroadcastError(error, subject: path)
            }
            return try AddressTransport(
                target, .hls(HLSPath(path), settings: settings), streams, settings: settings, control: control)
        case .movie(let path, let container):
            return try MovieTransport(path, container: container, overwrites: overwrites, streams)
        }
    }
}
