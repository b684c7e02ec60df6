// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

extension CaptureSession {
    /// The books of a reader.
    func reader(_ name: String) throws -> SessionLedger.Reader {
        try #require(ledger.readers.last { $0.name.hasPrefix(name) })
    }

    /// Expects the books of all readers to be right.
    func expectBalance(sourceLocation: SourceLocation = #_sourceLocation) {
        for reader in ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader.name): \(reader.frames)", sourceLocation: sourceLocation)
        }
    }
}
