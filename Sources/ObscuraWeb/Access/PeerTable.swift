// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Records by client address, each with an expiry time. Since IPv6 addresses are plentiful, at most 1024 records are
/// kept; a further record replaces the record that expires first.
struct PeerTable<Record> {
    private var entries: [String: (record: Record, expiry: ContinuousClock.Instant)] = [:]

    var count: Int { entries.count }

    func record(of peer: String, at now: ContinuousClock.Instant) -> Record? {
        entries[peer].flatMap { $0.expiry > now ? $0.record : nil }
    }

    mutating func keep(
        _ record: Record, of peer: String, until expiry: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) {
        if entries[peer] == nil { makeRoom(at: now) }
        entries[peer] = (record, expiry)
    }

    mutating func forget(_ peer: String) {
        entries[peer] = nil
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard entries.count >= 1024 else { return }
        entries = entries.filter { $0.value.expiry > now }
        guard entries.count >= 1024, let next = entries.min(by: { $0.value.expiry < $1.value.expiry }) else { return }
        entries[next.key] = nil
    }
}
