// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraMedia

/// The changes among some objects of PipeWire, for the thread of a monitor.
///
/// `Sendable`: the connection is made, used and ended by that thread alone.
final class PipeWireChanges: @unchecked Sendable {  // see above
    /// The objects that concern a kind of device.
    struct Filter: Sendable {
        let remote: PipeWireRemote
        let isRelevant: @Sendable (PipeWireObject) -> Bool
    }

    private let filter: Filter
    private var client: PipeWireClient?
    /// The serial numbers and names of the objects that the monitor knows; nil before the first list.
    private var known: [String]?

    init(_ filter: Filter) {
        self.filter = filter
    }

    /// Readable when something has changed in the daemon; nil without a daemon. Connects if there is one.
    var descriptor: Int32? {
        if client == nil, filter.remote.isAvailable() { client = try? PipeWireClient(filter.remote) }
        return client?.descriptor
    }

    /// Whether ``descriptor`` must be tried again and again: there is no connection, and nothing tells when the portal
    /// opens one.
    var mustRetry: Bool { client == nil && filter.remote.isPortal() }

    /// Handles what has arrived. Returns whether the objects may have changed.
    func drain() -> Bool {
        guard let client else { return false }
        do throws(ObscuraError) {
            try client.iterate()
        } catch {
            self.client = nil
            defer { known = nil }
            return known?.isEmpty == false
        }
        guard let objects = client.listedObjects else { return false }
        let names = objects.nodes.filter(filter.isRelevant).map { "\($0.serial) \($0.name)" }.sorted()
        guard names != known else { return false }
        defer { known = names }
        return known != nil || !names.isEmpty
    }

    /// Ends the connection.
    func close() {
        client = nil
    }
}
