// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraBase

@Suite struct ResourceBudgetTests {
    private static func budget(limit: Int, used: Int) -> ResourceBudget {
        ResourceBudget(limit: { limit }, used: { used })
    }

    @Test(
        arguments: [
            // A quarter stays in reserve, but never more than 256.
            (limit: 256, used: 32, wanted: 100, places: 5), (256, 192, 100, 0), (256, 300, 100, 0),
            (1024, 24, 100, 23), (4096, 96, 100, 100), (1_048_576, 96, 100, 100),
        ] as [(limit: Int, used: Int, wanted: Int, places: Int)])
    func `There are as many places as descriptors allow`(limit: Int, used: Int, wanted: Int, places: Int) {
        #expect(Self.budget(limit: limit, used: used).take(wanted, each: 32).count == places)
    }

    @Test func `What one server has taken no other has, until it ends`() {
        let budget = Self.budget(limit: 1024, used: 0)
        do {
            let first = budget.take(20, each: 32)
            let second = budget.take(100, each: 32)
            #expect(first.count == 20 && second.count == 4)
            #expect(budget.take(1, each: 32).count == 0)
            withExtendedLifetime((first, second)) {}
        }
        #expect(budget.take(100, each: 32).count == 24)
    }

    @Test func `This process has the descriptors that it has`() {
        let before = ResourceBudget.descriptors.take(.max, each: 1).count
        let opened = (0..<10).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        // Others of this process may have closed some of theirs.
        #expect(ResourceBudget.descriptors.take(.max, each: 1).count <= before - 5)
        for descriptor in opened { close(descriptor) }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(limit.rlim_cur == limit.rlim_max)
    }
}
