// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The changes among the cameras of PipeWire, for the thread of a monitor.
///
/// `Sendable`: the connection is made, used and ended by that thread alone.
final class PipeWireChanges: @unchecked Sendable {  // see above
    private let remote: PipeWireRemote
    private var client: PipeWireClient?
    /// The serial numbers and names of the cameras that the monitor knows; nil before the first list.
    private var known: [String]?

    init(_ remote: PipeWireRemote) {
        self.remote = remote
    }

    /// Readable when something has changed in the daemon; nil without a daemon. Connects if there is one.
    var descriptor: Int32? {
        if client == nil, remote.isAvailable() { client = try? PipeWireClient(remote) }
        return client?.descriptor
    }

    /// Handles what has arrived. Returns whether the cameras may have changed.
    func drain() -> Bool {
        guard let client else { return false }
        do throws(ObscuraError) {
            try client.iterate()
        } catch {
            self.client = nil
            defer { known = nil }
            return known?.isEmpty == false
        }
        guard let cameras = client.listedCameras, cameras != known else { return false }
        defer { known = cameras }
        // The first list is older than the monitor's first scan.
        return known != nil || !cameras.isEmpty
    }

    /// Ends the connection.
    func close() {
        client = nil
    }
}
