// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import Testing

@testable import ObscuraMovies

@Suite struct DiskRoomTests {
    private let free = Lock<Int64?>(100 << 20)
    private let room: DiskRoom

    init() {
        room = DiskRoom(freeSpace: { [free] _ in free.withLock { $0 } }, device: { $0.hasPrefix("/b/") ? 2 : 1 })
    }

    private func hasRoom(_ megabytes: Int64, _ path: String = "/a/x.mp4") -> Bool {
        room.claim(megabytes << 20, of: path) != nil
    }

    @Test func `What is free, less a margin, can be claimed once`() throws {
        #expect(hasRoom(99) && !hasRoom(100))
        let claim = try #require(room.claim(60 << 20, of: "/a/x.mp4"))
        #expect(hasRoom(39) && !hasRoom(40))
        // Another disk has room of its own.
        #expect(hasRoom(99, "/b/x.mp4"))
        try withExtendedLifetime(claim) { try claim.check(written: 20 << 20, for: "x") }
        // What is written is no longer free, and no longer claimed.
        free.withLock { $0 = 80 << 20 }
        #expect(hasRoom(39) && !hasRoom(40))
        withExtendedLifetime(claim) {}
    }

    @Test func `The recording that leaves most free counts, on its own disk, as long as it lasts`() {
        do {
            let floors = [room.keep(10 << 20, of: "/a/1.mp4"), room.keep(64 << 20, of: "/a/2.mp4")]
            #expect(hasRoom(35) && !hasRoom(36) && hasRoom(99, "/b/x.mp4"))
            withExtendedLifetime(floors) {}
        }
        #expect(hasRoom(99))
        let most = room.keep(.max, of: "/a/1.mp4")
        #expect(!hasRoom(0))
        withExtendedLifetime(most) {}
    }

    @Test func `A copy ends before it takes what recordings leave free`() throws {
        let floor = room.keep(50 << 20, of: "/a/1.mp4")
        let claim = try #require(room.claim(40 << 20, of: "/a/x.mp4"))
        for written in 0...40 as ClosedRange<Int64> {
            free.withLock { $0 = (100 - written) << 20 }
            try claim.check(written: written << 20, for: "x")
        }
        // Somebody else fills the disk.
        free.withLock { $0 = 50 << 20 }
        try claim.check(written: 40 << 20 + 1, for: "x")
        let error = #expect(throws: ObscuraError.self) { try claim.check(written: 41 << 20, for: "x") }
        #expect(error?.code == .diskFull && error?.subject == "x")
        withExtendedLifetime(floor) {}
    }

    @Test func `The space of a copy counts as free for recordings until the copy or the original is deleted`() throws {
        func keepsFree(_ megabytes: Int64, _ path: String = "/a/1.mp4") -> Bool {
            room.keepsFree(megabytes << 20, of: path)
        }
        #expect(keepsFree(100) && !keepsFree(101))
        do {
            let claim = try #require(room.claim(40 << 20, of: "/a/x.mp4"))
            #expect(keepsFree(100) && !keepsFree(101))
            free.withLock { $0 = 60 << 20 }
            try claim.check(written: 40 << 20, for: "x")
            #expect(keepsFree(100) && !keepsFree(101))
            // Only the size of the original is freed, and only on its disk.
            try claim.check(written: 41 << 20, for: "x")
            #expect(!keepsFree(101) && keepsFree(60, "/b/1.mp4") && !keepsFree(61, "/b/1.mp4"))
            withExtendedLifetime(claim) {}
        }
        #expect(keepsFree(60) && !keepsFree(61))
        free.withLock { $0 = nil }
        #expect(keepsFree(1 << 40))
    }

    @Test func `A disk that does not tell is taken for free`() throws {
        free.withLock { $0 = nil }
        let claim = try #require(room.claim(1 << 40, of: "/a/x.mp4"))
        try claim.check(written: 1 << 30, for: "x")
    }
}
