// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraMovies

@Suite(.hangLimit) struct EncodingQueueTests {
    private struct Switch: EncodingState {
        var failure: ObscuraError?

        func check(_ sample: MediaSample) throws(ObscuraError) {
            if let failure { throw failure }
        }
    }

    /// A queue whose encoder stands still until it is told to go on, and what it has encoded.
    private final class Bench: Sendable {
        let queue = EncodingQueue(Switch(), name: "test", domain: .recording, subject: "test", depth: 2)
        private let isOpen = Lock(false)
        let encoded = Watched<[Int64]>([])

        var encode: @Sendable (MediaSample) -> Void {
            { [isOpen, encoded] sample in
                _ = isOpen.wait(until: .now + waitLimit) { $0 ? true : nil }
                encoded.change { $0.append(sample.presentationTime.value) }
            }
        }

        func goOn() { isOpen.withLockSignalling { $0 = true } }

        func tryAppend(_ sample: MediaSample) throws -> Bool { try queue.append(sample, until: .now, encode) }
    }

    private func picture(_ number: Int64) throws -> MediaSample {
        .video(try Recordings.frame(Int(number), at: MediaTime(value: number, timescale: 30)))
    }

    private func sound(_ number: Int64) -> MediaSample {
        .audio(
            AudioBuffer(
                format: AudioFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1),
                samples: .int16([0]), presentationTime: MediaTime(value: number, timescale: 100), hostTime: .now))
    }

    @Test func `It has eight places for sound for each one for a frame, and runs all in the order of the calls`()
        async throws
    {
        let bench = Bench()
        for number in 0..<2 as Range<Int64> { #expect(try bench.tryAppend(picture(number))) }
        #expect(try !bench.tryAppend(picture(2)))
        #expect(try !bench.queue.append(picture(2), until: .now + .milliseconds(5), bench.encode))
        for number in 10..<26 as Range<Int64> { #expect(try bench.tryAppend(sound(number))) }
        #expect(try !bench.tryAppend(sound(26)))
        #expect(bench.queue.count == 18)
        bench.queue.run { [encoded = bench.encoded] in encoded.change { $0.append(-1) } }
        bench.goOn()
        #expect(try bench.queue.append(picture(3), until: nil, bench.encode))
        #expect(await becomes { bench.queue.count == 0 })
        #expect(bench.encoded.value == [0, 1] + Array(10..<26) + [-1, 3])
    }

    @Test func `A task that waits gets the next place, and one that is cancelled takes none`() async throws {
        let bench = Bench()
        for number in 0..<2 as Range<Int64> { #expect(try bench.tryAppend(picture(number))) }
        let (third, fourth) = (try picture(2), try picture(3))
        let cancelled = Task { try await bench.queue.append(third, bench.encode) }
        let waiting = Task { try await bench.queue.append(fourth, bench.encode) }
        cancelled.cancel()
        await #expect { try await cancelled.value } throws: { ($0 as? ObscuraError)?.code == .cancelled }
        bench.goOn()
        try await waiting.value
        #expect(await becomes { bench.queue.count == 0 })
        #expect(bench.encoded.value == [0, 1, 3])
    }

    @Test func `A change of the state ends the waiting of tasks and threads`() async throws {
        let bench = Bench()
        defer { bench.goOn() }
        for number in 0..<2 as Range<Int64> { #expect(try bench.tryAppend(picture(number))) }
        let late = try picture(2)
        let task = Task { try await bench.queue.append(late, bench.encode) }
        let thread = Lock<Result<Bool, ObscuraError>?>(nil)
        let worker = WorkerPool(name: "caller", threads: 1)
        worker.async {
            let result: Result<Bool, ObscuraError>
            do throws(ObscuraError) {
                result = .success(try bench.queue.append(late, until: nil, bench.encode))
            } catch {
                result = .failure(error)
            }
            thread.withLockSignalling { $0 = result }
        }
        bench.queue.update { $0.failure = .outOfMemory(.recording, "test") }
        await #expect { try await task.value } throws: { ($0 as? ObscuraError)?.code == .outOfMemory }
        let result = thread.wait(until: .now + waitLimit) { $0 }
        #expect { try result?.get() } throws: { ($0 as? ObscuraError)?.code == .outOfMemory }
    }
}
