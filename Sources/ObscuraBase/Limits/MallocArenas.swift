// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

extension ProcessNeeds {
    /// Makes all threads share two arenas of malloc, if the address space is limited. Must be called before other
    /// threads are started.
    ///
    /// By default each thread reserves up to 128 MiB for an arena of its own. Whether its stack then fits into a
    /// limited address space depends on the order in which threads allocate: a server crashed with a limit with which
    /// another run succeeded.
    package static func shareArenas() {
        // glibc only, and not in Swift's view of it. malloc.h: M_ARENA_MAX is -8.
        guard addressSpaceLimit < .max, let symbol = dlsym(nil, "mallopt") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)(-8, 2)
    }
}
