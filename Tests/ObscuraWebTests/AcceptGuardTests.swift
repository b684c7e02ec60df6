// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import ObscuraWeb

@Suite struct AcceptGuardTests {
    /// What gets past it, on either side.
    private final class Counter: ChannelDuplexHandler {
        typealias InboundIn = Never
        typealias OutboundIn = Never
        var errors = 0
        var reads = 0

        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors += 1 }

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }
    }

    private struct NoDescriptors: Error {}

    @Test func aConnectionThatCannotBeAcceptedEndsNothingAndIsTriedAgainLater() throws {
        let (before, behind) = (Counter(), Counter())
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([before, AcceptGuard(logger: logger), behind])
        let context = try channel.pipeline.syncOperations.context(handler: before)
        context.fireErrorCaught(NoDescriptors())
        context.fireErrorCaught(NoDescriptors())
        #expect(behind.errors == 0)
        for _ in 0..<3 { channel.read() }
        #expect(behind.reads == 3 && before.reads == 0)
        channel.embeddedEventLoop.advanceTime(by: AcceptGuard.pause)
        #expect(before.reads == 1)
        channel.read()
        #expect(before.reads == 2)
        _ = try channel.finish()
    }
}
