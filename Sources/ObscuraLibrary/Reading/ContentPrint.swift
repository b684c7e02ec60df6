// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A number that nearly always differs between different files of the same size, from their first and last bytes.
///
/// It only selects candidates: whether two files are equal is decided by comparing them.
struct ContentPrint: Sendable, Hashable {
    private static let headCount = 64 << 10
    private static let tailCount = 4 << 10

    let value: Int64

    /// Reads the beginning and the end of a file; a file that cannot be read counts as empty.
    init(of file: MediaFile) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let head = (try? file.read(at: 0, count: Self.headCount)) ?? []
        Self.add(head, &hash)
        let tail = max(Int64(head.count), file.size - Int64(Self.tailCount))
        if tail < file.size { Self.add((try? file.read(at: tail, count: Self.tailCount)) ?? [], &hash) }
        value = Int64(bitPattern: hash)
    }

    /// FNV-1a over words of 64 bits, with a rotation that spreads their high bits.
    private static func add(_ bytes: [UInt8], _ hash: inout UInt64) {
        let span = bytes.span.bytes
        let words = bytes.count / 8
        for index in 0..<words {
            hash = (hash ^ span.unsafeLoadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) &* 0x100_0000_01b3
            hash = hash << 23 | hash >> 41
        }
        for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}
