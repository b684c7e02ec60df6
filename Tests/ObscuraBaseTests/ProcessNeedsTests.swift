// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Glibc
import TestSupport
import Testing

@testable import ObscuraBase

@Suite struct ProcessNeedsTests {
    @Test(.withoutSanitizer) func `The limit of the address space is the soft one`() throws {
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        var before = rlimit()
        try #require(getrlimit(resource, &before) == 0)
        // Far more than the tests beside this one use.
        let limit = min(before.rlim_max, 1 << 46)
        var lowered = rlimit(rlim_cur: limit, rlim_max: before.rlim_max)
        try #require(setrlimit(resource, &lowered) == 0)
        defer { setrlimit(resource, &before) }
        #expect(ProcessNeeds.addressSpaceLimit == UInt64(limit))
    }
}
