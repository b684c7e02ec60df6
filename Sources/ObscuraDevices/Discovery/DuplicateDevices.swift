// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The lasting names of devices that were connected in two places at once. Such a name identifies no device any more,
/// even after one of the duplicates is removed.
struct DuplicateDevices: Sendable {
    private let names = Lock<Set<String>>([])
    /// Maximum number of recorded names; no machine has as many ports.
    private static let limit = 1024

    /// Records the names that occur twice.
    func note(_ identities: [DeviceIdentity]) {
        let counts = Dictionary(grouping: identities.compactMap(\.lastingName)) { $0 }.mapValues(\.count)
        let repeated = counts.filter { $0.value > 1 }.keys
        guard !repeated.isEmpty else { return }
        names.withLock { names in
            for name in repeated where names.count < Self.limit { names.insert(name) }
        }
    }

    /// Returns the index of the device that was found before; nil while it is disconnected.
    ///
    /// It is the same device if its lasting name (or the lack of one) and its place are the same. In another place the
    /// name alone decides, unless it was recorded here: then the device there may be a duplicate, and a session must
    /// not continue with that one.
    func index(ofLastingName name: String?, place: String, in identities: [DeviceIdentity]) -> Int? {
        let same = identities.indices.filter { identities[$0].lastingName == name }
        if let index = same.first(where: { identities[$0].place == place }) { return index }
        guard let name, !names.withLock({ $0.contains(name) }) else { return nil }
        return same.first
    }
}
