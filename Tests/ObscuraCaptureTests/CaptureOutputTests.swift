// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite struct CaptureOutputTests {
    /// `Sendable` is proved by the properties, which are constant and `Sendable`.
    private final class Composite: CaptureOutput, CompositeOutput, @unchecked Sendable {
        let video: VideoDataOutput
        /// The number of readers at each call.
        let readers = Lock<[Int]>([])

        init() {
            video = VideoDataOutput(pixelFormat: .bgra)
            super.init(name: "both", parts: [AudioDataOutput(), video])
        }

        func partsWillStop() { note() }
        func partsDidStop() { note() }

        private func note() {
            readers.withLock { $0.append(video.connection.readers.count) }
        }
    }

    @Test func `An output of parts has their connections and the request of the first that has one`() {
        let output = Composite()
        #expect(output.connections.map(\.mediaType) == [.audio, .video])
        #expect(output.connection(with: .video) === output.video.connection)
        #expect(output.checkedRequest?.pixelFormat == .bgra)
        #expect(AudioDataOutput().checkedRequest == nil)
    }

    @Test func `An output of parts is called before and after a stop detaches their readers`() {
        let output = Composite()
        let loop = output.video.frames.makeAsyncIterator()
        #expect(output.sessionWillStop().isEmpty)
        #expect(output.readers.withLock { $0 } == [1, 0])
        withExtendedLifetime(loop) {}
    }
}
