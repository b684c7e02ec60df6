// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import ObscuraBase
import TestSupport
import Testing
import UIKit

@testable import AppleListings

@Suite("Memory of iOS sources", .hangLimit) struct ListingMemoryTests {
    @Test("Very many frames through FrameExtractor leave no memory behind") func frameExtractor() async throws {
        // Memory is that of the whole process, and the cameras are read once: in one of its own.
        if isLongForm {
            await #expect(processExitsWith: .success) { try await extract(10_000, checksMemory: true) }
        } else {
            await #expect(processExitsWith: .success) { try await extract(1_000, checksMemory: false) }
        }
    }
}

/// Counts the images that come to the main thread.
private final class Counter: FrameExtractorDelegate {
    /// The frames until caches and pools are filled.
    private static let warmUp = 500
    private let state = Lock<(count: Int, before: Int)>((0, 0))

    var count: Int { state.withLock { $0.count } }
    /// What the process holds after the first frames, in KiB.
    var before: Int { state.withLock { $0.before } }

    func captured(image: UIImage) {
        state.withLock { state in
            state.count += 1
            if state.count == Self.warmUp { state.before = OwnProcess.residentKilobytes() }
        }
    }
}

private func extract(_ count: Int, checksMemory: Bool) async throws {
    setenv("OBSCURA_CAMERAS", "front=pattern:160x120@500", 1)
    let counter = Counter()
    let extractor = FrameExtractor()
    extractor.delegate = counter
    while counter.count < count {
        let before = counter.count
        try #require(await becomes { counter.count > before }, "it stopped after \(before) images")
    }
    let growth = OwnProcess.residentKilobytes() - counter.before
    // Its blocks on the main queue do not own it: it stays until the process ends.
    _ = Unmanaged.passRetained(extractor)
    try #require(counter.before > 0)
    if checksMemory { try #require(growth < 2048, "it grew by \(growth) KiB") }
}
