// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The statistics of the reader. Invariant: `offered` = `delivered` + `dropped.total` + `skipped` +
/// `waiting` + `inHand`.
struct ReaderStatistics: Codable {
    let offered: UInt64
    /// The frames delivered to the writer; more than `framesWritten` if a limit was reached or the
    /// run was interrupted.
    let delivered: UInt64
    /// The dropped frames by reason (`late`, `outOfBuffers` …), and their `total`.
    let dropped: [String: UInt64]
    /// The frames omitted by `--every`, `--interval`, or `--start` with a camera.
    let skipped: UInt64
    let waiting: UInt64
    let inHand: UInt64
}

extension ReaderStatistics {
    init(_ ledger: ReaderLedger) {
        var dropped = ["total": ledger.dropped.total]
        for reason in DropReason.allCases { dropped[reason.rawValue] = ledger.dropped[reason] }
        self.init(
            offered: ledger.offered, delivered: ledger.delivered, dropped: dropped, skipped: ledger.skipped,
            waiting: ledger.waiting, inHand: ledger.inHand)
    }
}
