// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

@Suite struct BitRateControllerTests {
    private static let top = 3_000_000

    /// A network of `rate` bits a second behind an encoder that does what the governor says, looked at twice a second.
    private struct Network {
        var governor = BitRateController(highest: BitRateControllerTests.top, share: 0.1)
        var now = HostTime(nanoseconds: 0)
        var waiting = 0.0

        /// - Returns: the rates that were asked for.
        mutating func run(_ seconds: Int, rate: Int) -> [Int] {
            var rates: [Int] = []
            for _ in 0..<(seconds * 2) {
                now = now + BitRateController.interval
                waiting = max(0, waiting + Double(governor.rate - rate) / 2)
                // What is older than three seconds the queue leaves out.
                if waiting > 3 * Double(governor.rate) { waiting = Double(governor.rate) / 2 }
                _ = governor.look(at: now, queue: .seconds(waiting / Double(governor.rate)))
                rates.append(governor.rate)
            }
            return rates
        }
    }

    @Test func `A network that takes all of it is left as it is`() {
        var network = Network()
        #expect(Set(network.run(60, rate: 4_000_000)) == [Self.top])
    }

    @Test(arguments: [300_000, 500_000, 1_000_000, 2_000_000])
    func `It goes down to what the network takes, and stays near it`(rate: Int) {
        var network = Network()
        let down = network.run(15, rate: rate)
        #expect(down.last ?? 0 <= rate * 12 / 10)
        let stay = network.run(60, rate: rate)
        let mean = stay.reduce(0, +) / stay.count
        #expect(mean > rate * 6 / 10 && mean < rate * 12 / 10, "\(mean) of \(rate)")
    }

    @Test func `It comes up again when the network does`() {
        var network = Network()
        _ = network.run(20, rate: 400_000)
        #expect(network.governor.rate <= 400_000)
        let up = network.run(60, rate: 6_000_000)
        #expect(up.last == Self.top)
        #expect(zip(up, up.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `It has a floor`() {
        var network = Network()
        _ = network.run(60, rate: 10_000)
        #expect(network.governor.rate == 300_000)
        #expect(BitRateController(highest: 500_000, share: 0.01).lowest == 100_000)
        #expect(BitRateController(highest: 60_000, share: 0.5).lowest == 60_000)
    }

    @Test func `Without a connection nothing changes`() {
        var network = Network()
        _ = network.run(10, rate: 1_000_000)
        let before = network.governor.rate
        for second in 0..<60 {
            #expect(network.governor.look(at: network.now + .seconds(second), queue: nil) == nil)
        }
        #expect(network.governor.rate == before)
    }
}
