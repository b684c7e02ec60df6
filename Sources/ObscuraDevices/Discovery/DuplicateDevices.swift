// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The lasting names that were seen at two places at once. They tell nobody apart any more, also when one of the
/// twins has gone: who stays could be either.
struct DuplicateDevices: Sendable {
    private let names = Lock<Set<String>>([])
    /// More are not remembered: nobody has so many ports.
    private static let limit = 1024

    /// Remembers who is there twice at this moment.
    func note(_ identities: [DeviceIdentity]) {
        let counts = Dictionary(grouping: identities.compactMap(\.lastingName)) { $0 }.mapValues(\.count)
        let seenTwice = counts.filter { $0.value > 1 }.keys
        guard !seenTwice.isEmpty else { return }
        names.withLock { names in
            for name in seenTwice where names.count < Self.limit { names.insert(name) }
        }
    }

    /// Which of those that are there now is the device that was found before; nil while it is away.
    ///
    /// It is the same device if it brings the same name along (or none, as before) and stands in the same place.
    /// In another place the name alone counts, unless it was ever seen at two places at once: then the device
    /// there may be its twin, and a session must not go on with that one.
    func index(ofLastingName name: String?, place: String, in identities: [DeviceIdentity]) -> Int? {
        let same = identities.indices.filter { identities[$0].lastingName == name }
        if let index = same.first(where: { identities[$0].place == place }) { return index }
        guard let name, !names.withLock({ $0.contains(name) }) else { return nil }
        return same.first
    }
}
